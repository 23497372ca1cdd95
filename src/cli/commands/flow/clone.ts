import { assignments } from '../../assignments.ts'
import { command } from '../../command.ts'
import { fetchFlow } from '../../flow-answer.ts'
import { fetchSettings } from '../../flow-settings.ts'
import { makeFlow } from '../../make-flow.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'

/** What a copy takes along: how the flow is drawn, what callers may do, and which key closes it. */
const COPIED = ['flowData', 'type', 'apiConfig', 'chatbotConfig', 'category', 'apikeyid'] as const

export const clone = command({
  summary: 'Makes a second flow like another one, without its documents',
  args: ['<flow>', '<name>', '[key=value]…'],
  about:
    'The copy keeps overrides, limits, credentials and the API key of the flow, so that a closed flow has no open copy. The\n' +
    'settings that follow are those of "sluice flow set". The address of the copy goes to standard output.',
  options: { ...SERVER_OPTIONS, json: flag('prints the new flow as JSON') },
  settings: SERVER_SETTINGS,
  examples: ['handbook handbook-german chunkSize=600 chunkOverlap=60'],
  async run({ world, config, args, options }) {
    const [from, name, ...given] = args as [string, string, ...string[]]
    const wanted = assignments(given, 'a setting')
    const client = serverOf(options, config, world)
    const original = await fetchFlow(client, from)
    const copied = COPIED.flatMap((column) =>
      original[column] === null ? [] : [[column, original[column]] as const],
    )
    const { flow } = await makeFlow(client, { name, ...Object.fromEntries(copied) }, wanted)
    world.stdout.write(options.json ? `${JSON.stringify(flow)}\n` : `${printable(flow.slug)}\n`)
    const { key, holds } = await fetchSettings(client, flow.slug)
    if (key) world.stderr.write(`It is closed by the same key, ${printable(key.name ?? key.id)}.\n`)
    if (holds.sharedWith.length > 0)
      world.stderr.write(
        `It uses the documents of ${printable(holds.sharedWith.join(', '))}: their namespace is set to the same name.\n`,
      )
    return 0
  },
})
