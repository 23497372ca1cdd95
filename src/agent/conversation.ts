import type { PastMessage } from '../contract/chat-history.ts'
import type { ModelMessage, ChatModel, UserContent } from '../contract/chat-model.ts'

/** What a user sends: text, with pictures where the model takes them. */
export type UserInput = { text: string; images: { url: string; mime: string }[] }

export const pastMessages = (past: readonly PastMessage[]): ModelMessage[] =>
  past.map(({ role, content }) =>
    role === 'userMessage' ? { role: 'user', content } : { role: 'assistant', content },
  )

export function userMessage({ text, images }: UserInput, model: ChatModel): ModelMessage {
  if (images.length === 0 || !model.images) return { role: 'user', content: text }
  const pictures = images.map((image): UserContent => ({ type: 'image', ...image }))
  return { role: 'user', content: [{ type: 'text', text }, ...pictures] }
}

/** Instructions in front, where there are any: some providers refuse empty ones. */
export const systemMessage = (content: string): ModelMessage[] =>
  content.trim() === '' ? [] : [{ role: 'system', content }]
