import type { SearchNarrowing, StorePart } from '../contract/card.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { Document } from '../contract/document.ts'
import type { ToolCallContext } from '../contract/tool.ts'
import type { FlowNode } from '../flow/graph.ts'
import type { VariableScope } from '../flow/variables.ts'
import type { UserInput } from './conversation.ts'
import type { LoopState } from './loop.ts'
import type { HumanInput } from './prediction.ts'

/** The context in which the answering node of a chat flow answers one request. */
export type AnswerContext = {
  input: UserInput
  /** The messages before this question, oldest first. */
  past: readonly PastMessage[]
  /** The variables for the texts of the answering node. */
  scope: VariableScope
  callContext: ToolCallContext
  /** The answering node. */
  node: FlowNode
  /** Stores the run until a person has decided. */
  savePausedRun(loop: LoopState): Promise<void>
  /** Present when this request is a person's decision on a paused run. */
  resumed?: { human: HumanInput; loop: LoopState }
  /** Queries a store of the flow. */
  retrieve(
    part: StorePart,
    query: string,
    signal: AbortSignal,
    narrowing?: Pick<SearchNarrowing, 'history'>,
  ): Promise<Document[]>
}
