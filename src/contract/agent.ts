import type { Json, JsonObject } from '../kit/json.ts'
import type { TokenUsage } from './chat-model.ts'
import type { Document } from './document.ts'

/** A call that was made, as clients see it. `toolInput` holds what the model wrote, never a header or a secret. */
export type UsedTool = { tool: string; toolInput: JsonObject; toolOutput: string; error?: string }

/** A run that waits for a person: what to show, and what to send back. */
export type PendingAction = {
  id: string
  mapping: { approve: string; reject: string }
  elements: { type: string; label: string }[]
  data: JsonObject
}

/** One node of an agent flow that has run: input and output as clients of Flowise read them. */
export type ExecutedNode = {
  nodeId: string
  nodeLabel: string
  data: JsonObject
  previousNodeIds: string[]
  status: 'INPROGRESS' | 'FINISHED' | 'STOPPED' | 'ERROR' | 'TERMINATED'
}

/** What a run tells while it goes, in order; the names are those of the event stream (compat 3.4). */
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

/** How a run ended. */
export type AgentOutcome = {
  text: string
  /** Instead of text where the flow asks for structured output. */
  json?: Json
  sourceDocuments?: Document[]
  usedTools?: UsedTool[]
  /** The run waits for a person. */
  action?: PendingAction
  /** The label of the flow's memory. */
  memoryType?: string
  agentFlowExecutedData?: ExecutedNode[]
  executionId?: string
  usage: TokenUsage
}
