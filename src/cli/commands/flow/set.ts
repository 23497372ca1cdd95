import { assignments } from '../../assignments.ts'
import { printWarning } from '../../flow-answer.ts'
import { printChanges, sendSettings } from '../../flow-settings.ts'
import { warnOfOldLoads } from '../../load-comparison.ts'
import { flag } from '../../options.ts'
import { serverCommand } from '../../server-command.ts'

export const set = serverCommand({
  summary: 'Changes settings of a flow, and shows what changed',
  args: ['<flow>', '<key=value>', '[key=value]…'],
  about: `Settings of the flow itself:
  name=TEXT, slug=TEXT           its name, and its name in addresses
  uploads=on|off                 whether requests may send files
  overrides=on|off               whether requests may override any input
  override.INPUT=on|off          whether requests may override this input, such as override.chunkSize
  key=NAME|none|closed           the API key, by name or id, that callers of the flow need; closed: nobody but managers
  credential=NAME|none           the credential of every node that takes its kind
  rateLimit=30/60s|off           how many requests one client may send in this time (s, m, h)
  rateLimit.message=TEXT         the message to a client above the limit
Every other key is an input of a node, such as chunkSize, cleanup or weight. Where several nodes have that input, write
NODE.INPUT. An empty value restores the default. "sluice flow show" lists the keys and their values.`,
  options: { json: flag('prints the flow and its changes as JSON') },
  examples: [
    'handbook chunkSize=600 chunkOverlap=60',
    'handbook uploads=off override.topK=on rateLimit=30/60s',
    'support credential=openai chatOpenAI_0.modelName=gpt-4o',
  ],
  async run({ world, client, args, options }) {
    const [flow, ...given] = args as [string, ...string[]]
    const answer = await sendSettings(client, flow, assignments(given, 'a setting'))
    if (options.json) world.stdout.write(`${JSON.stringify(answer)}\n`)
    else if (answer.changes.length === 0)
      world.stderr.write('Nothing changed: the flow has these values already.\n')
    else printChanges(answer, world)
    if (!options.json) printWarning(answer.flow, world)
    if (answer.changes.length > 0) await warnOfOldLoads(client, flow, world)
    return 0
  },
})
