import type { StorePart } from '../contract/card.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { Document } from '../contract/document.ts'
import type { CallContext } from '../contract/tool.ts'
import type { FlowNode } from '../flow/graph.ts'
import type { Scope } from '../flow/variables.ts'
import type { UserInput } from './conversation.ts'
import type { LoopState } from './loop.ts'
import type { HumanInput } from './prediction.ts'

/** What an answer is made from, besides the part that makes it. */
export type AnswerContext = {
  input: UserInput
  past: readonly PastMessage[]
  /** Fills the texts of the node that answers. */
  scope: Scope
  callContext: CallContext
  /** The node that answers. */
  node: FlowNode
  /** Keeps an agent until a person has decided. */
  savePausedRun(loop: LoopState): Promise<void>
  /** The decision that an agent waited for. */
  resumed?: { human: HumanInput; loop: LoopState }
  retrieve(part: StorePart, query: string, signal: AbortSignal): Promise<Document[]>
}
