import type { AgentEvent, AgentOutcome } from '../contract/agent.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { Warning } from '../flow/overrides.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import type { JsonObject } from '../kit/json.ts'

/** Something sent along with a question: a picture as a data URI or an address, or the text of a file. */
export type PredictionUpload = { type: 'image' | 'text'; name: string; mime: string; data: string }

/** A person's decision on a run that waits for one. */
export type HumanInput = { type: 'proceed' | 'reject'; startNodeId?: string; feedback?: string }

/** One request to a flow, checked for its shape. */
export type PredictionRequest = {
  question?: string
  /** What was filled into the form of an agent flow; then there is no question. */
  form?: JsonObject
  chatId: string
  /** The session that the request names: `overrideConfig.sessionId`, else its own `chatId`. */
  sessionId?: string
  /** What the caller says was said before; comes in front of what is stored. */
  history: readonly PastMessage[]
  uploads: readonly PredictionUpload[]
  overrides: JsonObject
  humanInput?: HumanInput
  /** The flows that wait for this answer, where one flow asks another. */
  callingFlows?: readonly string[]
  /** The id that the answer will be stored under: `{{$flow.apiMessageId}}`. */
  messageId?: string
}

/** A request that holds together: nothing has been sent to anybody yet. */
export type PreparedRun = {
  /** Whether tokens come as the model writes them; where not, the answer is one piece. */
  streams: boolean
  /** What the conversation is stored under. */
  sessionId: string
  /** The label of the flow's memory. */
  memoryType?: string
  /** Overrides that took no effect. */
  warnings: Warning[]
  /**
   * Does the work, once. What `emit` promises is awaited: a client that reads slowly holds the run up, not memory.
   *
   * @throws SluiceError as models and stores do, and `cancelled`
   */
  run(emit: Emit, signal: AbortSignal): Promise<AgentOutcome>
}

export type Emit = (event: AgentEvent) => void | Promise<void>

export type Predictor = {
  /**
   * Makes a flow ready to answer.
   *
   * @throws SluiceError for all that can be known before anything is sent: `flow_cannot_answer`, `node_unknown`,
   *   `input_invalid`, `override_invalid`, `question_missing`, `nothing_waits`
   */
  prepare(flow: FlowSource, ask: PredictionRequest): Promise<PreparedRun>
  /** Whether a flow lets its tokens out as they come; false for one that cannot answer at all. */
  streams(flow: FlowSource): boolean
}
