import type { ExecutedNode } from './agent.ts'

/** The state of a run of an agent flow: `STOPPED` waits for a person, `TERMINATED` was aborted. */
export const EXECUTION_STATES = ['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED'] as const
export type ExecutionState = (typeof EXECUTION_STATES)[number]

/** The record of one run of an agent flow. Times in ms since 1970. */
export type FlowExecution = {
  id: string
  flowId: string
  /** The message that started the run. The execution is deleted together with it. */
  questionId: string
  chatId: string
  sessionId: string
  state: ExecutionState
  nodes: ExecutedNode[]
  createdAt: number
  updatedAt: number
}

export type ExecutionSummary = Omit<FlowExecution, 'nodes'> & { steps: number }

/** Selects executions. An absent field selects all. Times in ms since 1970, both ends included. */
export type ExecutionFilter = {
  id?: string | undefined
  flowId?: string | undefined
  sessionId?: string | undefined
  state?: ExecutionState | undefined
  from?: number | undefined
  to?: number | undefined
}

export type FlowExecutionStore = {
  /** Stores an execution, or replaces the one with its id. Does nothing if its question has been deleted. */
  save(execution: FlowExecution): Promise<void>
  find(id: string): Promise<FlowExecution | undefined>
  /** The execution of a session that waits for a person. */
  waiting(flowId: string, sessionId: string): Promise<FlowExecution | undefined>
  /** Newest first. */
  list(
    filter: ExecutionFilter,
    range: { offset: number; limit: number },
  ): Promise<{ rows: FlowExecution[]; total: number }>
  /** The same, with the number of nodes in place of the nodes. */
  summaries(
    filter: ExecutionFilter,
    range: { offset: number; limit: number },
  ): Promise<{ rows: ExecutionSummary[]; total: number }>
  /**
   * Ends the executions of processes that are gone: their state becomes `TERMINATED`. A server with a database of its own calls it at its
   * start, before the first run. Over PostgreSQL any node may call it at any time: it ends those whose conversation has no answer in
   * progress (`ChatRunStore`).
   */
  endLost(now: number): Promise<void>
  /** @returns the number of removed executions */
  remove(ids: readonly string[]): Promise<number>
}
