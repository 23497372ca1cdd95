import type { DeletedFlowAnswer } from '../../../api/flow-summary.ts'
import { flag } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'
import { readableBytes } from '../../units.ts'

export const deletedFlowsCommand = serverCommand({
  summary: 'Lists the removed flows that can be restored',
  options: { json: flag('prints the rows as JSON') },
  async run({ world, client, options: { json } }) {
    const rows = await readAnswer(
      client.send('GET', 'flows/deleted'),
      async () => (await import('../../../api/flow-summary.ts')).deletedFlowList,
      'a list of deleted flows',
    )
    printRows(rows, COLUMNS, { world, json, none: 'No flow was removed in the last thirty days.' })
    return 0
  },
})

const minute = (moment: string) => moment.slice(0, 16).replace('T', ' ')

const COLUMNS: Column<DeletedFlowAnswer>[] = [
  { title: 'slug', value: (flow) => flow.slug, style: () => 'bold' },
  { title: 'name', value: (flow) => flow.name },
  { title: 'removed', value: (flow) => minute(flow.deletedAt) },
  { title: 'kept until', value: (flow) => minute(flow.removedAt) },
  { title: 'chunks', value: (flow) => flow.chunks, right: true },
  { title: 'disk', value: (flow) => readableBytes(flow.diskBytes), right: true },
  { title: 'id', value: (flow) => flow.id },
]
