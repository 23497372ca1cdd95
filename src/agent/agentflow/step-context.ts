import type { PendingAction, UsedTool } from '../../contract/agent.ts'
import type { PastMessage } from '../../contract/chat-history.ts'
import type { TokenUsage } from '../../contract/chat-model.ts'
import type { Document } from '../../contract/document.ts'
import type { KeyValue } from '../../contract/step.ts'
import type { CallContext } from '../../contract/tool.ts'
import type { FlowNode } from '../../flow/graph.ts'
import type { PartMaker } from '../../flow/build-step.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { AgentRuntime } from '../runtime.ts'
import type { LoopState } from '../loop.ts'
import type { Emit, HumanInput } from '../prediction.ts'
import type { RunState } from './run-state.ts'

/** What a step works with. */
export type StepContext = {
  runtime: AgentRuntime
  node: FlowNode
  run: Readonly<RunState>
  parts: PartMaker
  /** What code of tools may know of the run. */
  callContext: CallContext
  /** This flow, and those that wait for its answer. */
  callingFlows: readonly string[]
  /** Runs the nodes that stand inside of this one, for an item of a list; gives what the last of them said. */
  runInside(item: Json): Promise<string>
  /** Whether an edge leaves this node at one of its ways out, counted from 0. */
  hasBranch(way: number): boolean
  /** Nothing comes after this node: what it writes is the answer. */
  last: boolean
  /** The decision that this node waited for. */
  resumed?: { human: HumanInput; loop?: LoopState }
  emit: Emit
  signal: AbortSignal
}

/** What came of a step. */
export type StepResult = {
  input?: Json
  /** `content` is what others read first. */
  output: JsonObject
  /** The way on, by number; all of them without it. */
  way?: number
  /** Another node whose turn comes next, whatever follows this one. */
  goTo?: string
  /** What the nodes after it are told was said. */
  said?: PastMessage[]
  updateState?: KeyValue[]
  usage?: TokenUsage
  usedTools?: UsedTool[]
  documents?: Document[]
  /** Nothing goes on before a person has decided. */
  waiting?: { text: string; action: PendingAction; loop?: LoopState }
}
