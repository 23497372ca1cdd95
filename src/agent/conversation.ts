import type { PastMessage } from '../contract/chat-history.ts'
import type { ChatModel, ModelMessage, UserContent } from '../contract/chat-model.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import { SluiceError } from '../kit/errors.ts'
import type { PredictionRequest } from './prediction.ts'
import type { AgentRuntime } from './runtime.ts'

/** What a user sends: text and pictures. A picture's `url` is a data URI or an address. */
export type UserInput = { text: string; images: { url: string; mime: string }[] }

/**
 * The input of a request.
 *
 * @returns `text`: the text of the files, then the question; `question` and `fileText`: the two apart
 */
export function readUserInput({
  question = '',
  uploads,
}: PredictionRequest): UserInput & { question: string; fileText: string } {
  const fileText = uploads
    .filter(({ type }) => type === 'text')
    .map(({ name, data }) => `<doc name='${name}'>${data}</doc>`)
    .join('\n\n')
  const images = uploads.filter(({ type }) => type === 'image').map(({ data, mime }) => ({ url: data, mime }))
  const text = [fileText, question].filter(Boolean).join('\n\n')
  return { question, fileText, text, images }
}

/** @throws SluiceError `question_missing` for input with neither text nor pictures */
export function requireQuestion({ text, images }: UserInput): void {
  if (text.trim() === '' && images.length === 0) throw new SluiceError('question_missing')
}

/**
 * The messages before a question: those of the request first, then the newest `last` stored ones, or all of them.
 * A flow that another flow calls reads no stored messages: those of the session belong to the calling flow.
 */
export async function conversationHistory(
  { history }: AgentRuntime,
  flowId: string,
  sessionId: string,
  { history: sent, callingFlows }: PredictionRequest,
  last?: number,
): Promise<PastMessage[]> {
  return callingFlows ? [...sent] : [...sent, ...(await history.messages(flowId, sessionId, last))]
}

/** What the person asked before, the oldest first. */
export const questionsOf = (past: readonly PastMessage[]): string[] =>
  past.filter(({ role }) => role === 'userMessage').map(({ content }) => content)

export type FlowInfo = ReturnType<typeof flowInfo>

/** The values of `$flow`, with the keys that Flowise uses. */
export function flowInfo(flow: FlowSource, { chatId, messageId }: PredictionRequest, sessionId: string) {
  return {
    chatflowid: flow.id,
    chatflowId: flow.id,
    chatId,
    sessionId,
    ...(messageId === undefined ? {} : { apiMessageId: messageId }),
  }
}

export const pastMessages = (past: readonly PastMessage[]): ModelMessage[] =>
  past.map(({ role, content }) =>
    role === 'userMessage' ? { role: 'user', content } : { role: 'assistant', content },
  )

/** A user message. Pictures are left out if the model does not accept them. */
export function userMessage({ text, images }: UserInput, model: ChatModel): ModelMessage {
  if (images.length === 0 || !model.images) return { role: 'user', content: text }
  const pictures = images.map((image): UserContent => ({ type: 'image', ...image }))
  return { role: 'user', content: [{ type: 'text', text }, ...pictures] }
}

/** A system message, or no message for blank instructions: some providers refuse an empty one. */
export const systemMessage = (content: string): ModelMessage[] =>
  content.trim() === '' ? [] : [{ role: 'system', content }]
