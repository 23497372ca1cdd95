import type { PendingAction, UsedTool } from '../../contract/agent.ts'
import type { PastMessage } from '../../contract/chat-history.ts'
import type { TokenUsage } from '../../contract/chat-model.ts'
import type { Document } from '../../contract/document.ts'
import type { KeyValue } from '../../contract/step.ts'
import type { ToolCallContext } from '../../contract/tool.ts'
import type { PartMaker } from '../../flow/build-step.ts'
import type { FlowNode } from '../../flow/graph.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { LoopState } from '../loop.ts'
import type { Emit, HumanInput } from '../prediction.ts'
import type { AgentRuntime } from '../runtime.ts'
import type { RunState } from './run-state.ts'

/** The context in which a node of an agent flow runs. */
export type StepContext = {
  runtime: AgentRuntime
  node: FlowNode
  run: Readonly<RunState>
  /** Builds the nodes that are configured inside this node, such as its model. */
  parts: PartMaker
  callContext: ToolCallContext
  /** The ids of this flow and of the flows that wait for its answer. */
  callingFlows: readonly string[]
  /** Runs the child nodes of this node for one item of a list. Returns the text of the last one. */
  runChildren(item: Json): Promise<string>
  /** Whether an output of this node, counted from 0, has an edge. */
  hasBranch(branch: number): boolean
  /** No node comes after this one: its text is the answer of the flow. */
  last: boolean
  /** Present when this node waited and a person has decided. */
  resumed?: { human: HumanInput; loop?: LoopState }
  emit: Emit
  signal: AbortSignal
}

export type StepResult = {
  input?: Json
  /** `content` is the text that other nodes read by the node's id alone. */
  output: JsonObject
  /** The output whose edges to follow, counted from 0; all outputs if absent. */
  branch?: number
  /** The node to run next, in place of the nodes after this one. */
  goTo?: string
  /** Messages that this node adds to the conversation of the run. */
  messages?: PastMessage[]
  updateState?: KeyValue[]
  usage?: TokenUsage
  usedTools?: UsedTool[]
  documents?: Document[]
  /** The run waits for a person. */
  waiting?: { text: string; action: PendingAction; loop?: LoopState }
}
