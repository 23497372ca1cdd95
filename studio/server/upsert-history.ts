import type { HistoryAnswer } from '../../src/api/upsert-history.ts'
import { call } from './call.ts'

export type PastUpsert = HistoryAnswer

const of = (flowId: string) => `/api/v1/upsert-history/${encodeURIComponent(flowId)}`

/** A page of the upserts of a flow, newest first; `page` from 1. */
export const listPastUpserts = (
  flowId: string,
  page: number,
  limit: number,
): Promise<{ data: PastUpsert[]; total: number }> => call(of(flowId), { query: { page, limit } })

/** @param id of the row, or of its job */
export const getPastUpsert = (flowId: string, id: string): Promise<PastUpsert> =>
  call(`${of(flowId)}/${encodeURIComponent(id)}`)

export const removePastUpserts = (ids: readonly string[]): Promise<unknown> =>
  call('/api/v1/upsert-history', { method: 'PATCH', body: { ids } })
