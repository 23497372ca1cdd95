import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import { expand } from '../flow/variables.ts'
import type { AnswerContext } from './answer-context.ts'
import { pastMessages, systemMessage, userMessage } from './conversation.ts'
import { runModelTurn } from './model-turn.ts'
import type { Emit } from './prediction.ts'

type Part = Extract<AnswererPart, { type: 'conversationChain' }>

/** Lets a model answer from the conversation. */
export async function answerInConversation(
  { model, systemMessage: instructions }: Part,
  { input, past, scope }: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const messages = [
    ...systemMessage(expand(instructions, scope)),
    ...pastMessages(past),
    userMessage(input, model),
  ]
  const { text, usage } = await runModelTurn(model, { messages }, emit, signal)
  return { text, usage }
}
