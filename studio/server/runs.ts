import type { RunAnswer, RunHead, RunLineAnswer, RunNodeAnswer, RunSpanAnswer } from '../../src/api/run.ts'
import { call } from './call.ts'

export type Run = RunAnswer
export type RunSummary = RunHead
export type RunLine = RunLineAnswer
export type RunNode = RunNodeAnswer
export type RunSpan = RunSpanAnswer

const one = (id: string) => `/api/v1/runs/${encodeURIComponent(id)}`

/** The last runs of a flow, newest first: answers and jobs. */
export const listRuns = async (flowId: string): Promise<RunSummary[]> =>
  (await call<{ data: RunSummary[] }>('/api/v1/runs', { query: { flowId, limit: 30 } })).data

export const getRun = (id: string): Promise<Run> => call(one(id))

export type AgainRequest = {
  from: number
  input?: unknown
  tools: 'recorded' | 'missing' | 'live'
}

/** Searches the documents of a flow. Resolves with the record of the query, which the server does not keep. */
export const queryRun = async (flowId: string, query: string): Promise<Run> =>
  (
    await call<{ run: Run }>(`/api/v1/vector/query/${encodeURIComponent(flowId)}`, {
      method: 'POST',
      body: { query, record: true },
    })
  ).run

/** Does an answer again from one of its steps. Resolves with the id of the new run, when it has ended. */
export const runAgain = (id: string, body: AgainRequest): Promise<{ runId: string; text: string }> =>
  call(`${one(id)}/again`, { method: 'POST', body })
