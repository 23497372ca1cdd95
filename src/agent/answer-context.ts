import type { AnswererPart, NodeServices } from '../contract/card.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { ToolCallContext } from '../contract/tool.ts'
import type { FlowNode } from '../flow/graph.ts'
import type { VariableScope } from '../flow/variables.ts'
import type { UserInput } from './conversation.ts'
import type { LoopState } from './loop.ts'
import type { HumanInput } from './prediction.ts'

/** An answering node of one type. */
export type AnswererOf<Type extends AnswererPart['type']> = Extract<AnswererPart, { type: Type }>

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
  /** Why its model is called, for the record of the run, where that is not the answer itself. */
  purpose?: string
  /** Stores the run until a person has decided. */
  savePausedRun(loop: LoopState): Promise<void>
  /** Present when this request is a person's decision on a paused run. */
  resumed?: { human: HumanInput; loop: LoopState }
  /** Queries a store of the flow. */
  retrieve: NodeServices['retrieve']
}
