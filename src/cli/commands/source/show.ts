import { citationPlace, sectionOf } from '../../../contract/citation.ts'
import { fetchChunks, fetchSources, mustHold } from '../../flow-sources.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'

export const showSourceCommand = serverCommand({
  summary: 'Shows the chunks of a source in order, with their text',
  args: ['<flow>', '<source>'],
  options: { json: flag('prints one JSON object per line, for each chunk') },
  examples: ['quickstart safety-manual.pdf'],
  async run({ world, client, args, options }) {
    const [flow, source] = args as [string, string]
    mustHold([source], await fetchSources(client, flow), flow)
    const paint = paintFor(world.stdout, world.environment)
    let number = 0
    for await (const chunk of fetchChunks(client, flow, source)) {
      number++
      if (options.json) world.stdout.write(`${JSON.stringify(chunk)}\n`)
      else {
        const { metadata = {} } = chunk
        world.stdout.write(
          `${number > 1 ? '\n' : ''}${paint('bold', `${number}.`)}  ${paint('dim', printable([citationPlace(metadata), sectionOf(metadata), chunk.id].filter(Boolean).join('  ')))}\n`,
        )
        for (const line of chunk.pageContent.split('\n')) world.stdout.write(`${printable(line)}\n`)
      }
    }
    return 0
  },
})
