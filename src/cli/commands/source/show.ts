import { citationPlace } from '../../../contract/citation.ts'
import { command } from '../../command.ts'
import { fetchChunks, fetchSources, mustHold } from '../../flow-sources.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'

export const show = command({
  summary: 'Shows the chunks of a source in their order, with their whole text',
  args: ['<flow>', '<source>'],
  options: { ...SERVER_OPTIONS, json: flag('prints a JSON object per chunk and line') },
  settings: SERVER_SETTINGS,
  examples: ['quickstart safety-manual.pdf'],
  async run({ world, config, args, options }) {
    const [flow, source] = args as [string, string]
    const client = serverOf(options, config, world)
    mustHold([source], await fetchSources(client, flow), flow)
    const paint = paintFor(world.stdout, world.environment)
    let number = 0
    for await (const chunk of fetchChunks(client, flow, source)) {
      number++
      if (options.json) world.stdout.write(`${JSON.stringify(chunk)}\n`)
      else {
        const place = citationPlace(chunk.metadata ?? {})
        world.stdout.write(
          `${number > 1 ? '\n' : ''}${paint('bold', `${number}.`)}  ${paint('dim', printable([place, chunk.id].filter(Boolean).join('  ')))}\n`,
        )
        for (const line of chunk.pageContent.split('\n')) world.stdout.write(`${printable(line)}\n`)
      }
    }
    return 0
  },
})
