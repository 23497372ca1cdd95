import type { SettingsAnswer } from '../../../api/flow-settings.ts'
import { NO_KEY_YET } from '../../../contract/flow-store.ts'
import { assignments } from '../../assignments.ts'
import { printWarning } from '../../flow-answer.ts'
import { fetchSettings } from '../../flow-settings.ts'
import { makeFlow } from '../../make-flow.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'

export const clone = serverCommand({
  summary: 'Copies a flow, without its documents',
  args: ['<flow>', '<name>', '[key=value]…'],
  about:
    'The copy keeps the overrides, limits, credentials and API key of the flow: the copy of a flow that needs a key needs the\n' +
    'same key. The settings that may follow are those of "sluice flow set". The slug of the copy goes to standard output.',
  options: { json: flag('prints the new flow as JSON') },
  examples: ['handbook handbook-german chunkSize=600 chunkOverlap=60'],
  async run({ world, client, args, options }) {
    const [from, name, ...given] = args as [string, string, ...string[]]
    const wanted = assignments(given, 'a setting')
    const { flow } = await makeFlow(client, { name, copyOf: from }, wanted)
    world.stdout.write(options.json ? `${JSON.stringify(flow)}\n` : `${printable(flow.slug)}\n`)
    printWarning(flow, world)
    const { key, holds } = await fetchSettings(client, flow.slug)
    if (key) world.stderr.write(`${keySentence(key)}\n`)
    if (holds.sharedWith.length > 0)
      world.stderr.write(
        `It shares its documents with ${printable(holds.sharedWith.join(', '))}: their stores have the same namespace.\n`,
      )
    return 0
  },
})

const keySentence = ({ id, name }: NonNullable<SettingsAnswer['key']>): string =>
  name === null
    ? `It is closed as ${id === NO_KEY_YET ? 'its original, until a key is bound' : 'the API key of its original was deleted'}.`
    : `It needs the same API key, ${printable(name)}.`
