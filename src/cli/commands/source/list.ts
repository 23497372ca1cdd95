import type { SourceAnswer } from '../../../api/source.ts'
import { fetchSources } from '../../flow-sources.ts'
import { warnOfOldLoads } from '../../load-comparison.ts'
import { flag } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'
import { counted } from '../../units.ts'

export const listSourcesCommand = serverCommand({
  summary: 'Lists the sources of a flow, with the number of their chunks',
  args: ['<flow>'],
  options: { json: flag('prints the rows as JSON') },
  examples: ['quickstart'],
  async run({ world, client, args, options: { json } }) {
    const rows = await fetchSources(client, args[0]!)
    const differ = rows.some(({ changedSettings }) => changedSettings.length > 0)
    printRows(rows, differ ? [...COLUMNS, CHANGED] : COLUMNS, {
      world,
      json,
      none: 'The flow has no sources.',
    })
    if (json || rows.length === 0) return 0
    const chunks = rows.reduce((sum, row) => sum + row.chunks, 0)
    const outdated = rows.reduce((sum, row) => sum + row.outdated, 0)
    const left = outdated > 0 ? `, ${outdated.toLocaleString('en')} of them of earlier versions` : ''
    world.stderr.write(`${counted(rows.length, 'source')}, ${counted(chunks, 'chunk')}${left}.\n`)
    await warnOfOldLoads(client, args[0]!, world)
    return 0
  },
})

const COLUMNS: Column<SourceAnswer>[] = [
  { title: 'source', value: ({ source }) => source },
  { title: 'chunks', value: ({ chunks }) => chunks, right: true },
  { title: 'updated', value: ({ updatedAt }) => updatedAt.slice(0, 19).replace('T', ' ') },
]
const CHANGED: Column<SourceAnswer> = {
  title: 'loaded with other settings',
  value: ({ changedSettings }) => changedSettings.join(', '),
}
