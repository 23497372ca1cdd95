import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import { expand } from '../flow/variables.ts'
import { pastMessages, systemMessage, userMessage } from './conversation.ts'
import type { Given } from './given.ts'
import type { Emit } from './predict.ts'
import { takeTurn } from './turn.ts'

type Part = Extract<AnswererPart, { type: 'conversationChain' }>

/** Lets a model answer with the conversation in mind. */
export async function answerInConversation(
  { model, systemMessage: instructions }: Part,
  { asked, past, scope }: Given,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const messages = [
    ...systemMessage(expand(instructions, scope)),
    ...pastMessages(past),
    userMessage(asked, model),
  ]
  const { text, usage } = await takeTurn(model, { messages }, emit, signal)
  return { text, usage }
}
