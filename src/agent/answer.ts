import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart, StorePart } from '../contract/card.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { Document } from '../contract/document.ts'
import type { CallPlace } from '../contract/tool.ts'
import type { Scope } from '../flow/variables.ts'
import type { Asked } from './conversation.ts'
import { answerInConversation } from './conversation-chain.ts'
import type { Emit } from './predict.ts'
import { answerFromDocuments } from './retrieval-chain.ts'
import { answerWithTools } from './tool-agent.ts'

/** What an answer is made from, besides the part that makes it. */
export type Given = {
  asked: Asked
  past: readonly PastMessage[]
  /** Fills the texts of the node that answers. */
  scope: Scope
  place: CallPlace
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
