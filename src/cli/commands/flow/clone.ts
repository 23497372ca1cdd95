import { isObject, type Json } from '../../../kit/json.ts'
import { assignments } from '../../assignments.ts'
import { command } from '../../command.ts'
import { fetchFlow, flowPath } from '../../flow-answer.ts'
import { fetchSettings, sendSettings } from '../../flow-settings.ts'
import { jsonBody } from '../../http.ts'
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
    const flow = (await fetchFlow(client, from)) as unknown as Record<string, Json | undefined>
    const copied = COPIED.flatMap((column) =>
      flow[column] == null ? [] : [[column, flow[column]!] as const],
    )
    const made = (await client.send(
      'POST',
      'chatflows',
      jsonBody({ name, ...Object.fromEntries(copied) }),
    )) as { id: string; slug: string }
    let result = made
    try {
      if (given.length > 0) result = { ...made, ...(await sendSettings(client, made.id, wanted)).flow }
    } catch (error) {
      await client.send('DELETE', flowPath(made.id))
      throw error
    }
    world.stdout.write(options.json ? `${JSON.stringify(result)}\n` : `${printable(result.slug)}\n`)
    const { key, holds } = await fetchSettings(client, result.slug)
    if (isObject(key)) world.stderr.write(`It is closed by the same key, ${printable(key.name ?? key.id)}.\n`)
    if (holds.sharedWith.length > 0)
      world.stderr.write(
        `It uses the documents of ${printable(holds.sharedWith.join(', '))}: their namespace is set to the same name.\n`,
      )
    return 0
  },
})
