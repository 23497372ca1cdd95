import type { Json, JsonObject } from '../kit/json.ts'
import type { TokenUsage } from './chat-model.ts'
import type { Document } from './document.ts'

/** A tool call for clients. `toolInput` is the model's input, without headers and secrets. */
export type UsedTool = { tool: string; toolInput: JsonObject; toolOutput: string; error?: string }

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
  status: 'INPROGRESS' | 'FINISHED' | 'STOPPED' | 'ERROR' | 'TERMINATED'
}

/** The events of a run. Their names are those of the event stream of Flowise. */
export type AgentEvent =
  | { event: 'token'; data: string }
  | { event: 'thinking'; data: string; duration?: number }
  | { event: 'calledTools' | 'usedTools'; data: UsedTool[] }
  | { event: 'sourceDocuments'; data: Document[] }
  | { event: 'artifacts' | 'fileAnnotations'; data: Json[] }
  | { event: 'agentFlowEvent'; data: ExecutedNode['status'] }
  | { event: 'nextAgentFlow'; data: Pick<ExecutedNode, 'nodeId' | 'nodeLabel' | 'status'> }
  | { event: 'agentFlowExecutedData'; data: ExecutedNode[] }
  | { event: 'action'; data: PendingAction }
  | { event: 'usageMetadata'; data: JsonObject }

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
  usage: TokenUsage
}
