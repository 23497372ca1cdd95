import type { AgentOutcome } from '../../contract/agent.ts'
import type { PastMessage } from '../../contract/chat-history.ts'
import type { ModelMessage } from '../../contract/chat-model.ts'
import { expand } from '../../flow/variables.ts'
import type { AnswerContext, AnswererOf } from '../answer-context.ts'
import { pastMessages, systemMessage, userMessage } from '../conversation.ts'
import { runModelTurn } from '../model-turn.ts'
import type { Emit } from '../prediction.ts'
import { promptMessages } from './prompt-chain.ts'

/** Lets a model answer from the conversation. */
export async function answerInConversation(
  { model, systemMessage: instructions, prompt }: AnswererOf<'conversationChain'>,
  { input, past, scope }: AnswerContext,
  emit: Emit,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const messages = prompt
    ? aroundConversation(promptMessages(prompt, input, model, scope), past)
    : [...systemMessage(expand(instructions, scope)), ...pastMessages(past), userMessage(input, model)]
  const { text, usage } = await runModelTurn(model, { messages }, emit, signal)
  return { text, usage }
}

/** The messages of a prompt, with the conversation before the last one. */
const aroundConversation = (
  messages: readonly ModelMessage[],
  past: readonly PastMessage[],
): ModelMessage[] => [...messages.slice(0, -1), ...pastMessages(past), ...messages.slice(-1)]
