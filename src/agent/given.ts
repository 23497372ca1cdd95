import type { StorePart } from '../contract/card.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { Document } from '../contract/document.ts'
import type { CallPlace } from '../contract/tool.ts'
import type { FlowNode } from '../flow/graph.ts'
import type { Scope } from '../flow/variables.ts'
import type { Asked } from './conversation.ts'
import type { LoopState } from './loop.ts'
import type { HumanInput } from './predict.ts'

/** What an answer is made from, besides the part that makes it. */
export type Given = {
  asked: Asked
  past: readonly PastMessage[]
  /** Fills the texts of the node that answers. */
  scope: Scope
  place: CallPlace
  /** The node that answers. */
  node: FlowNode
  /** Keeps an agent until a person has decided. */
  keep(loop: LoopState): Promise<void>
  /** The decision that an agent waited for. */
  resumed?: { human: HumanInput; loop: LoopState }
  retrieve(part: StorePart, query: string, signal: AbortSignal): Promise<Document[]>
}
