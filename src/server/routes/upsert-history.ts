import { flowParams } from '../../api/params.ts'
import {
  type HistoryAnswer,
  historyList,
  historyParams,
  historyQuery,
  historyRemoval,
  historyShape,
} from '../../api/upsert-history.ts'
import type { HistoryRow } from '../../contract/history-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { toRange } from '../../kit/paging.ts'
import { MANAGEMENT, isoTime, removalAnswer, removedRows } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'

/** The length of a page where only its number is given. */
const DEFAULT_LIMIT = 50

const presentRow = ({ flowId, date, ...row }: HistoryRow): HistoryAnswer => ({
  ...row,
  chatflowid: flowId,
  date: isoTime(date),
})

export function upsertHistoryRoutes({ flows, history }: Platform): Route[] {
  const removal = {
    method: 'PATCH',
    summary: 'Remove rows of the upsert history; if one id is unknown, no row is removed',
    tag: 'management',
    access: 'manage',
    body: historyRemoval,
    answer: removalAnswer,
    async handle({ body }: { body: { ids: string[] } }) {
      const ids = [...new Set(body.ids)]
      await history.remove(ids)
      return removedRows(ids.length)
    },
  } as const

  return [
    route({
      method: 'GET',
      url: '/api/v1/upsert-history/:flowId',
      summary: 'The upserts of a flow and their results, including failures',
      ...MANAGEMENT,
      params: flowParams,
      query: historyQuery,
      answer: { description: 'A row per upsert, by date', shape: historyList },
      async handle({ params, query }) {
        const flow = await findFlow(flows, params.flowId)
        const range = {
          ...(query.startDate === undefined ? {} : { from: Date.parse(query.startDate) }),
          ...(query.endDate === undefined ? {} : { to: Date.parse(query.endDate) }),
        }
        const ascending = query.order === 'ASC'
        const { page, limit } = query
        if (page === undefined && limit === undefined)
          return (await history.list(flow.id, { ...range, ascending })).map(presentRow)
        const rows = await history.list(flow.id, {
          ...range,
          ascending,
          ...toRange({ page: page ?? 1, limit: limit ?? DEFAULT_LIMIT }),
        })
        return { data: rows.map(presentRow), total: await history.count(flow.id, range) }
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/upsert-history/:flowId/:id',
      summary: 'One upsert of a flow, by its id or by the id of its job',
      ...MANAGEMENT,
      params: historyParams,
      answer: { description: 'The row', shape: historyShape },
      async handle({ params }) {
        const flow = await findFlow(flows, params.flowId)
        const row = await history.find(params.id)
        if (row?.flowId !== flow.id) throw new SluiceError('history_not_found', { id: params.id })
        return presentRow(row)
      },
    }),
    route({ ...removal, url: '/api/v1/upsert-history' }),
    // Clients of Flowise also use this path; the flow in it has no effect.
    route({ ...removal, url: '/api/v1/upsert-history/:flowId', params: flowParams }),
  ]
}
