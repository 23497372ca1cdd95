import type { CustomToolAnswer } from '../../../api/custom-tool.ts'
import { fetchTools } from '../../custom-tools.ts'
import { flag } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'

export const listToolsCommand = serverCommand({
  summary: 'Lists the custom tools, with the flows that use each',
  options: { json: flag('prints the rows as JSON') },
  async run({ world, client, options: { json } }) {
    printRows(await fetchTools(client), COLUMNS, { world, json, none: 'There is no custom tool.' })
    return 0
  },
})

const COLUMNS: Column<CustomToolAnswer>[] = [
  { title: 'name', value: ({ name }) => name, style: () => 'bold' },
  { title: 'used by', value: ({ usedBy = [] }) => usedBy.map(({ slug }) => slug).join(', ') },
  { title: 'updated', value: ({ updatedDate }) => updatedDate.slice(0, 16).replace('T', ' ') },
  { title: 'cannot run', value: ({ problems }) => problems[0]?.message ?? '' },
  { title: 'id', value: ({ id }) => id },
]
