import type { ListedFlowAnswer } from '../../../api/flow.ts'
import type { FlowSummaryAnswer } from '../../../api/flow-summary.ts'
import { NO_KEY_YET } from '../../../contract/flow-store.ts'
import { fetchFlows, fetchLastUpserts } from '../../flow-answer.ts'
import { notLoaded } from '../../not-loaded.ts'
import { flag } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'

/** A flow with its last upsert; without it where the key may not see that. */
type Row = ListedFlowAnswer & { lastUpsert?: FlowSummaryAnswer['lastUpsert'] }

export const listFlowsCommand = serverCommand({
  summary: 'Lists the flows',
  options: { json: flag('prints the rows as JSON') },
  async run({ world, client, options: { json } }) {
    const [flows, upserts] = await Promise.all([fetchFlows(client), fetchLastUpserts(client)])
    const rows = flows.map((flow): Row => {
      const lastUpsert = upserts.get(flow.id)
      return lastUpsert === undefined ? flow : { ...flow, lastUpsert }
    })
    printRows(rows, COLUMNS, { world, json, none: 'There is no flow.' })
    return 0
  },
})

const COLUMNS: Column<Row>[] = [
  { title: 'slug', value: (flow) => flow.slug, style: () => 'bold' },
  { title: 'name', value: (flow) => flow.name },
  { title: 'type', value: (flow) => flow.type },
  { title: 'access', value: (flow) => accessOf(flow) },
  {
    title: 'last upsert',
    value: ({ lastUpsert }) => upsertText(lastUpsert),
    style: (flow) => upsertStyle(flow),
  },
  { title: 'updated', value: (flow) => flow.updatedDate.slice(0, 16).replace('T', ' ') },
  { title: 'id', value: (flow) => flow.id },
]

/** Empty where the key of the client may not see which key the flow needs. */
const accessOf = ({ apikeyid }: ListedFlowAnswer) =>
  apikeyid === undefined ? '' : apikeyid === NO_KEY_YET ? 'closed' : apikeyid ? 'by key' : 'open'

/** `done`; `8 failed, 3 empty` where files were not loaded. */
function upsertText(last: Row['lastUpsert']): string {
  if (!last) return ''
  return last.state === 'done' ? notLoaded(last) || 'done' : last.state
}

const upsertStyle = ({ lastUpsert: last }: Row) =>
  !last ? undefined : last.state === 'failed' ? 'red' : last.failed > 0 ? 'yellow' : undefined
