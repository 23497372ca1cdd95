import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import { answerInConversation } from './conversation-chain.ts'
import type { AnswerContext } from './answer-context.ts'
import type { Emit } from './prediction.ts'
import { answerFromDocuments } from './retrieval-chain.ts'
import { answerWithTools } from './tool-agent.ts'

/** Lets the last node of a chat flow answer. */
export function runAnswerer(
  part: AnswererPart,
  given: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  if (part.type === 'toolAgent') return answerWithTools(part, given, emit, signal)
  if (part.type === 'retrievalChain') return answerFromDocuments(part, given, emit, signal)
  return answerInConversation(part, given, emit, signal)
}
