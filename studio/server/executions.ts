import type { ExecutionAnswer, SpanAnswer } from '../../src/api/execution.ts'
import { call } from './call.ts'

export type Execution = ExecutionAnswer
export type ExecutionState = Execution['state']
export type Span = SpanAnswer

export type ExecutionFilter = {
  search?: string | undefined
  agentflowId?: string | undefined
  state?: ExecutionState | undefined
  startDate?: string | undefined
  endDate?: string | undefined
}

/** A page of executions without their steps, newest first. */
export const listExecutions = (
  filter: ExecutionFilter,
  page: number,
  limit: number,
): Promise<{ data: Execution[]; total: number }> =>
  call('/api/v1/executions', { query: { ...filter, page, limit, summary: true } })

const one = (id: string) => `/api/v1/executions/${encodeURIComponent(id)}`

export const getExecution = (id: string): Promise<Execution> => call(one(id))
export const deleteExecution = (id: string): Promise<unknown> => call(one(id), { method: 'DELETE' })
