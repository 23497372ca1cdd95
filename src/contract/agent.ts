import type { Json, JsonObject } from '../kit/json.ts'
import type { TokenUsage } from './chat-model.ts'
import type { Document } from './document.ts'
import type { RunSpan, StepStatus } from './run-span.ts'
import type { HttpExchange } from './tool.ts'

/** A tool call for clients. `toolInput` is the model's input, without headers and secrets. */
export type UsedTool = {
  tool: string
  toolInput: JsonObject
  toolOutput: string
  error?: string
  /** For managers only. */
  trace?: ToolTrace
}

/** Facts about a tool call for the person who manages the flow. */
export type ToolTrace = {
  /** The id that the model gave the call. */
  callId: string
  /** When the call began, in ms since 1970; absent for a call that was not made. */
  startedAt?: number
  /** How long it took, in milliseconds. */
  ms?: number
  http?: HttpExchange[]
}

/** The buttons and the data that clients show for a run that waits for a person. `mapping` names the two decisions. */
export type PendingAction = {
  id: string
  mapping: { approve: string; reject: string }
  elements: { type: string; label: string }[]
  data: JsonObject
}

/** A node of an agent flow that has run, in the form that clients of Flowise read. */
export type ExecutedNode = {
  nodeId: string
  nodeLabel: string
  data: JsonObject
  previousNodeIds: string[]
  status: StepStatus
  /** Start and end in ms since 1970; `delta` is the time in which it worked, in ms, without waiting for a person. */
  timeMetadata?: { start: number; end: number; delta: number }
}

/** The events of a run. Their names are those of the event stream of Flowise. */
export type AgentEvent =
  | { event: 'token'; data: string }
  | { event: 'thinking'; data: string; duration?: number }
  | { event: 'calledTools' | 'usedTools'; data: UsedTool[] }
  /** A tool call that has just ended. Only managers get this event. */
  | { event: 'toolResult'; data: UsedTool }
  | { event: 'sourceDocuments'; data: Document[] }
  | { event: 'artifacts' | 'fileAnnotations'; data: Json[] }
  | { event: 'agentFlowEvent'; data: ExecutedNode['status'] }
  | { event: 'nextAgentFlow'; data: Pick<ExecutedNode, 'nodeId' | 'nodeLabel' | 'status'> }
  | { event: 'agentFlowExecutedData'; data: ExecutedNode[] }
  | { event: 'action'; data: PendingAction }
  | { event: 'usageMetadata'; data: JsonObject }
  /** A part of the run that has begun or ended. It is for the record of the run: no client gets it. */
  | { event: 'span'; data: RunSpan }

/** The result of a run. */
export type AgentOutcome = {
  text: string
  /** In place of `text` for a flow with structured output. */
  json?: Json
  sourceDocuments?: Document[]
  usedTools?: UsedTool[]
  /** Present if the run waits for a person. */
  action?: PendingAction
  /** The label of the flow's memory node. */
  memoryType?: string
  agentFlowExecutedData?: ExecutedNode[]
  executionId?: string
  /** What the model thought before it answered, with the time in ms, as Flowise stores it. */
  reasonContent?: { thinking: string; thinkingDuration: number }
  usage: TokenUsage
}
