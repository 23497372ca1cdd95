import type { ExecutedNode } from './agent.ts'
import type { RunSpan } from './run-span.ts'

/** The state of a run: `STOPPED` waits for a person, `TERMINATED` was aborted. */
export const EXECUTION_STATES = ['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED'] as const
export type ExecutionState = (typeof EXECUTION_STATES)[number]

/** Which kind of flow ran. */
export const EXECUTION_KINDS = ['AGENTFLOW', 'CHATFLOW'] as const
export type ExecutionKind = (typeof EXECUTION_KINDS)[number]

/** Why a run did not end well. The code is one of the error table, or `lost`: its server ended first. */
export type ExecutionFailure = { code: string; message: string; hint?: string; nodeId?: string }

/** The record of one run of a flow. Times in ms since 1970. */
export type FlowExecution = {
  id: string
  kind: ExecutionKind
  flowId: string
  /** The message that started the run. The execution is deleted together with it. */
  questionId: string
  chatId: string
  sessionId: string
  state: ExecutionState
  failure?: ExecutionFailure
  /** The nodes that have run, as clients of Flowise read them. A chat flow has one: the node that answers. */
  nodes: ExecutedNode[]
  /** What the run did, in the order in which it began. */
  spans: RunSpan[]
  /** How many later spans were too many to keep. */
  omittedSpans: number
  createdAt: number
  updatedAt: number
}

/** An execution as it is read: with the first characters of its question. */
export type StoredExecution = FlowExecution & { question: string }

/** `steps`: the number of nodes of an agent flow; of a chat flow, of what it did. */
export type ExecutionSummary = Omit<StoredExecution, 'nodes' | 'spans' | 'omittedSpans'> & { steps: number }

/** Selects executions. An absent field selects all. Times in ms since 1970, both ends included. */
export type ExecutionFilter = {
  id?: string | undefined
  kind?: ExecutionKind | undefined
  flowId?: string | undefined
  sessionId?: string | undefined
  state?: ExecutionState | undefined
  from?: number | undefined
  to?: number | undefined
  /** A part of the question, each letter in either case. */
  search?: string | undefined
}

export type FlowExecutionStore = {
  /** Stores an execution, or replaces the one with its id. Does nothing if its question has been deleted. */
  save(execution: FlowExecution): Promise<void>
  find(id: string): Promise<StoredExecution | undefined>
  /** The execution of a session that waits for a person. */
  waiting(flowId: string, sessionId: string): Promise<FlowExecution | undefined>
  /** Newest first. */
  list(
    filter: ExecutionFilter,
    range: { offset: number; limit: number },
  ): Promise<{ rows: StoredExecution[]; total: number }>
  /** The same, with the number of steps in place of nodes and spans. */
  summaries(
    filter: ExecutionFilter,
    range: { offset: number; limit: number },
  ): Promise<{ rows: ExecutionSummary[]; total: number }>
  /**
   * Ends the executions of processes that are gone: their state becomes `TERMINATED`, their failure `lost`. A server with a
   * database of its own calls it at its start, before the first run. Over PostgreSQL any member of a cluster may call it at any time: it ends
   * those whose conversation has no answer in progress (`ChatRunStore`).
   */
  endLost(now: number): Promise<void>
  /** @returns the number of removed executions */
  remove(ids: readonly string[]): Promise<number>
}
