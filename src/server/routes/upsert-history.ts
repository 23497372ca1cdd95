import { flowParams } from '../../api/params.ts'
import { historyList, historyQuery, historyRemoval } from '../../api/upsert-history.ts'
import { MANAGEMENT, isoTime, removalAnswer, removedRows } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../stored-flow.ts'

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
        const rows = await history.list(flow.id, {
          ascending: query.order === 'ASC',
          ...(query.startDate === undefined ? {} : { from: Date.parse(query.startDate) }),
          ...(query.endDate === undefined ? {} : { to: Date.parse(query.endDate) }),
        })
        return rows.map(({ id, flowId, result, flowData, date }) => ({
          id,
          chatflowid: flowId,
          result,
          flowData,
          date: isoTime(date),
        }))
      },
    }),
    route({ ...removal, url: '/api/v1/upsert-history' }),
    // Clients of Flowise also use this path; the flow in it has no effect.
    route({ ...removal, url: '/api/v1/upsert-history/:flowId', params: flowParams }),
  ]
}
