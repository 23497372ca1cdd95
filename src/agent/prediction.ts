import type { AgentEvent, AgentOutcome } from '../contract/agent.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { Fence } from '../contract/fence.ts'
import type { RunAgain } from '../contract/run-again.ts'
import type { FlowSource, Warning } from '../flow/apply-request.ts'
import type { JsonObject } from '../kit/json.ts'

/** A file sent with a question. `data` is a data URI or an address for a picture, the content for a text. */
export type PredictionUpload = { type: 'image' | 'text'; name: string; mime: string; data: string }

/** A person's decision on a run that waits for one. */
export type HumanInput = { type: 'proceed' | 'reject'; startNodeId?: string; feedback?: string }

/** One request to a flow. Its shape has been checked. */
export type PredictionRequest = {
  question?: string
  /** The values of an agent flow's form, in place of a question. */
  form?: JsonObject
  chatId: string
  /** The session named by the request: `overrideConfig.sessionId`, else its own `chatId`. */
  sessionId?: string
  /** Earlier messages sent by the caller. They come before the stored ones. */
  history: readonly PastMessage[]
  uploads: readonly PredictionUpload[]
  overrides: JsonObject
  humanInput?: HumanInput
  /** The ids of the flows that wait for this answer, when a flow calls another. */
  callingFlows?: readonly string[]
  /** Limits every search to the documents of its pins, also in flows that the flow calls. */
  fence?: Fence | undefined
  /** The recorded run that it repeats, from one of its steps. */
  again?: RunAgain | undefined
  /** The earlier messages of the conversation, in place of the stored ones. */
  past?: readonly PastMessage[] | undefined
  /** The id under which the answer will be stored: `{{$flow.apiMessageId}}`. */
  messageId?: string
}

/** A request that has been checked completely. No other server has been called yet. */
export type PreparedRun = {
  /** Whether tokens arrive as the model writes them. Otherwise the answer comes in one piece. */
  streams: boolean
  /** The session under which the conversation is stored. */
  sessionId: string
  /** The label of the flow's memory node. */
  memoryType?: string
  /** The node that answers; absent for an agent flow, whose nodes are in its events. */
  answerer?: { nodeId: string; nodeLabel: string }
  /** Overrides that had no effect. */
  warnings: Warning[]
  /**
   * Runs the flow, once. Each promise that `emit` returns is awaited, so that a slow client slows the run down instead
   * of filling the memory.
   *
   * @throws SluiceError `cancelled`, and the errors of models and stores
   */
  run(emit: Emit, signal: AbortSignal): Promise<AgentOutcome>
}

export type Emit = (event: AgentEvent) => void | Promise<void>

export type Predictor = {
  /**
   * Prepares a flow to answer one request.
   *
   * @throws SluiceError everything that can be found before another server is called: `flow_cannot_answer`,
   *   `node_unknown`, `input_invalid`, `override_invalid`, `question_missing`, `nothing_waits`
   */
  prepare(flow: FlowSource, request: PredictionRequest): Promise<PreparedRun>
  /** Whether a flow streams its tokens. False for a flow that cannot answer. */
  streams(flow: FlowSource): boolean
}
