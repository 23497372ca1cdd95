import type { PastMessage } from '../../../contract/chat-history.ts'
import type { ChatModel, ModelMessage } from '../../../contract/chat-model.ts'
import type { ModelStep, StepMemory } from '../../../contract/step.ts'
import { pastMessages, userMessage } from '../../conversation.ts'
import type { RunState } from '../run-state.ts'

/** The messages for a model: those of the node, those of the session and of this run, and the node's input message. */
export function modelMessages(step: ModelStep, model: ChatModel, run: Readonly<RunState>): ModelMessage[] {
  const { messages, memory, userMessage: last } = step
  const hasUserMessage = last.trim() !== '' || messages.some(({ role }) => role === 'user')
  const question = userMessage(run.asked, model)
  const conversation = memory
    ? [...pastMessages(messagesInMemory(run.past, memory)), question, ...pastMessages(run.said.slice(1))]
    : // Without memory, the question is sent only if the node has no user message of its own.
      hasUserMessage
      ? []
      : [question]
  return [
    ...messages,
    ...conversation,
    ...(last.trim() === '' ? [] : [{ role: 'user', content: last } as const]),
  ]
}

/**
 * The earlier messages that a model gets. The two summary types do not call a model: they take the newest messages that
 * fit `maxTokens`, at four characters a token.
 */
export function messagesInMemory(
  past: readonly PastMessage[],
  { type, windowSize, maxTokens }: StepMemory,
): PastMessage[] {
  if (type === 'allMessages') return [...past]
  if (type === 'windowSize') return past.slice(-2 * windowSize)
  let [from, room] = [past.length, maxTokens * 4]
  while (from > 0 && past[from - 1]!.content.length <= room) room -= past[--from]!.content.length
  return past.slice(from)
}
