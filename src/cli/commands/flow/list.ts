import type { ListedFlowAnswer } from '../../../api/flow.ts'
import { NO_KEY_YET } from '../../../contract/flow-store.ts'
import { fetchFlows } from '../../flow-answer.ts'
import { flag } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'

export const listFlowsCommand = serverCommand({
  summary: 'Lists the flows',
  options: { json: flag('prints the rows as JSON') },
  async run({ world, client, options: { json } }) {
    printRows(await fetchFlows(client), COLUMNS, { world, json, none: 'There is no flow.' })
    return 0
  },
})

const COLUMNS: Column<ListedFlowAnswer>[] = [
  { title: 'slug', value: (flow) => flow.slug, style: () => 'bold' },
  { title: 'name', value: (flow) => flow.name },
  { title: 'type', value: (flow) => flow.type },
  { title: 'access', value: (flow) => accessOf(flow) },
  { title: 'updated', value: (flow) => flow.updatedDate.slice(0, 16).replace('T', ' ') },
  { title: 'id', value: (flow) => flow.id },
]

/** Empty where the key of the client may not see which key the flow needs. */
const accessOf = ({ apikeyid }: ListedFlowAnswer) =>
  apikeyid === undefined ? '' : apikeyid === NO_KEY_YET ? 'closed' : apikeyid ? 'by key' : 'open'
