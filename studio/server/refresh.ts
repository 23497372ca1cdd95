import type { LoadComparisonAnswer } from '../../src/api/refresh.ts'
import { call } from './call.ts'

export type LoadComparison = LoadComparisonAnswer

const of = (kind: 'refresh' | 'reindex', flow: string) => `/api/v1/vector/${kind}/${encodeURIComponent(flow)}`

const start = async (path: string, stopNodeId: string | undefined): Promise<string> => {
  const body = stopNodeId === undefined ? {} : { stopNodeId }
  const { jobId } = await call<{ jobId: string }>(path, { method: 'POST', body, query: { async: true } })
  return jobId
}

/** How the documents of a flow differ from its live settings, or with `draft` from those of its draft. */
export const compareLoads = (
  flow: string,
  { stopNodeId, draft }: { stopNodeId?: string | undefined; draft?: boolean } = {},
): Promise<LoadComparison> =>
  call(of('refresh', flow), { query: { stopNodeId, ...(draft ? { draft } : {}) } })

/** Starts to load again what differs, and gives the id of the job. */
export const startRefresh = (flow: string, stopNodeId?: string): Promise<string> =>
  start(of('refresh', flow), stopNodeId)

/** Starts to embed all chunks again, and gives the id of the job. */
export const startReindex = (flow: string, stopNodeId?: string): Promise<string> =>
  start(of('reindex', flow), stopNodeId)
