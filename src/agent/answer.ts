import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart, StorePart } from '../contract/card.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { Document } from '../contract/document.ts'
import type { CallPlace } from '../contract/tool.ts'
import type { FlowNode } from '../flow/graph.ts'
import type { Scope } from '../flow/variables.ts'
import type { Asked } from './conversation.ts'
import { answerInConversation } from './conversation-chain.ts'
import type { LoopState } from './loop.ts'
import type { Emit, HumanInput } from './predict.ts'
import { answerFromDocuments } from './retrieval-chain.ts'
import { answerWithTools } from './tool-agent.ts'

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

/** Lets the last node of a chat flow answer. */
export function answer(
  part: AnswererPart,
  given: Given,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  if (part.type === 'toolAgent') return answerWithTools(part, given, emit, signal)
  if (part.type === 'retrievalChain') return answerFromDocuments(part, given, emit, signal)
  return answerInConversation(part, given, emit, signal)
}
