import type { SourceAnswer } from '../../../api/source.ts'
import { command } from '../../command.ts'
import { fetchSources } from '../../flow-sources.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { table } from '../../table.ts'
import { counted } from '../../units.ts'

export const list = command({
  summary: 'Lists the sources that a flow holds, with their chunks',
  args: ['<flow>'],
  options: { ...SERVER_OPTIONS, json: flag('prints the rows as JSON') },
  settings: SERVER_SETTINGS,
  examples: ['quickstart'],
  async run({ world, config, args, options }) {
    const rows = await fetchSources(serverOf(options, config, world), args[0]!)
    if (options.json) world.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else if (rows.length === 0) world.stderr.write('The flow holds nothing.\n')
    else {
      world.stdout.write(
        table<SourceAnswer>(
          rows,
          [
            { title: 'source', value: ({ source }) => source },
            { title: 'chunks', value: ({ chunks }) => chunks, right: true },
            { title: 'updated', value: ({ updatedAt }) => updatedAt.slice(0, 19).replace('T', ' ') },
          ],
          paintFor(world.stdout, world.environment),
        ),
      )
      const chunks = rows.reduce((sum, row) => sum + row.chunks, 0)
      world.stderr.write(`${counted(rows.length, 'source')}, ${counted(chunks, 'chunk')}.\n`)
    }
    return 0
  },
})
