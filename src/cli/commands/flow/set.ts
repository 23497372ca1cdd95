import { assignments } from '../../assignments.ts'
import { command } from '../../command.ts'
import { printChanges, sendSettings } from '../../flow-settings.ts'
import { flag } from '../../options.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'

export const set = command({
  summary: 'Changes settings of a flow by name, and shows what changed',
  args: ['<flow>', '<key=value>', '[key=value]…'],
  about: `Of the flow:
  name=TEXT, slug=TEXT           what it is called, and its address
  uploads=on|off                 whether requests may send files
  overrides=on|off               whether requests may override anything
  override.INPUT=on|off          whether they may override this input, such as override.chunkSize
  key=NAME|none                  the API key that closes it; an id does as well
  credential=NAME|none           the credential of every node that takes its kind
  rateLimit=30/60s|off           requests of one client in so long (s, m, h)
  rateLimit.message=TEXT         what a client over the limit is answered
Any other key is an input of a node, such as chunkSize, cleanup or weight; where several nodes have it, NODE.INPUT says
which. An empty value restores the default. "sluice flow show" lists the keys and their values.`,
  options: { ...SERVER_OPTIONS, json: flag('prints the flow and its changes as JSON') },
  settings: SERVER_SETTINGS,
  examples: [
    'handbook chunkSize=600 chunkOverlap=60',
    'handbook uploads=off override.topK=on rateLimit=30/60s',
    'support credential=openai chatOpenAI_0.modelName=gpt-4o',
  ],
  async run({ world, config, args, options }) {
    const [flow, ...given] = args as [string, ...string[]]
    const answer = await sendSettings(serverOf(options, config, world), flow, assignments(given, 'a setting'))
    if (options.json) world.stdout.write(`${JSON.stringify(answer)}\n`)
    else if (answer.changes.length === 0) world.stderr.write('Nothing changed: it was set so already.\n')
    else printChanges(answer, world)
    return 0
  },
})
