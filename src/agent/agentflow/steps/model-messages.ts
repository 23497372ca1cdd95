import type { PastMessage } from '../../../contract/chat-history.ts'
import type { ModelMessage, ChatModel } from '../../../contract/chat-model.ts'
import type { ModelStep, StepMemory } from '../../../contract/step.ts'
import { pastMessages, userMessage } from '../../conversation.ts'
import type { RunState } from '../run-state.ts'

/** What the node says, what was said in the session and in this run, and what the node asks last. */
export function modelMessages(step: ModelStep, model: ChatModel, run: Readonly<RunState>): ModelMessage[] {
  const { messages, memory, userMessage: last } = step
  const asks = last.trim() !== '' || messages.some(({ role }) => role === 'user')
  const question = userMessage(run.asked, model)
  const said = memory
    ? [...pastMessages(messagesInMemory(run.past, memory)), question, ...pastMessages(run.said.slice(1))]
    : // Without memory a node knows the question only in its own words, where it has some.
      asks
      ? []
      : [question]
  return [...messages, ...said, ...(last.trim() === '' ? [] : [{ role: 'user', content: last } as const])]
}

/**
 * What a model is reminded of. A summary is not written by a model here: the newest messages that fit stand in for it,
 * at about four characters a token.
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
