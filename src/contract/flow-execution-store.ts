import type { ExecutedNode } from './agent.ts'
import type { ExecutionState } from './paused-run-store.ts'

/** One run of an agent flow, as it ended. Times in ms since 1970. */
export type FlowExecution = {
  id: string
  flowId: string
  /** The message it began with: the execution is deleted together with it. */
  questionId: string
  chatId: string
  sessionId: string
  state: ExecutionState
  nodes: ExecutedNode[]
  createdAt: number
  updatedAt: number
}

/** Which executions are meant; what is absent does not narrow. Times in ms since 1970, both ends included. */
export type ExecutionFilter = {
  id?: string | undefined
  flowId?: string | undefined
  sessionId?: string | undefined
  state?: ExecutionState | undefined
  from?: number | undefined
  to?: number | undefined
}

export type FlowExecutionStore = {
  /** Keeps an execution, in place of one with its id; nothing where its question has been deleted meanwhile. */
  save(execution: FlowExecution): Promise<void>
  find(id: string): Promise<FlowExecution | undefined>
  /** The execution of a session that waits for a person. */
  waiting(flowId: string, sessionId: string): Promise<FlowExecution | undefined>
  /** Newest first. */
  list(
    filter: ExecutionFilter,
    range: { offset: number; limit: number },
  ): Promise<{ rows: FlowExecution[]; total: number }>
  /** Answers how many there were. */
  remove(ids: readonly string[]): Promise<number>
}
