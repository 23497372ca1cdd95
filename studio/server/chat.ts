import type { ChatWindow, ConversationAnswer, MessageAnswer } from '../../src/api/chat.ts'
import type { PredictionAnswer } from '../../src/api/prediction.ts'
import { addressOf, call, failureOf, report, ServerFailure } from './call.ts'
import { createFrameReader, type StreamedEvent } from './event-frames.ts'

export type Conversation = ConversationAnswer
export type ChatMessage = MessageAnswer
export type SourceDocument = NonNullable<MessageAnswer['sourceDocuments']>[number]
export type UsedTool = NonNullable<MessageAnswer['usedTools']>[number]
export type PendingAction = NonNullable<MessageAnswer['action']>
export type ExecutedNode = NonNullable<MessageAnswer['agentFlowExecutedData']>[number]
export type { ChatWindow }

/** A file for a question, as the server takes it. */
export type QuestionUpload = {
  type: 'file' | 'file:full' | 'file:rag' | 'audio'
  name: string
  mime: string
  data: string
}

/** A question, or the decision about a call that waits. */
export type AskBody = {
  question?: string
  form?: Record<string, unknown>
  chatId: string
  uploads?: QuestionUpload[]
  overrideConfig?: object
  humanInput?: { type: 'proceed' | 'reject'; startNodeId?: string; feedback?: string }
}

const idOf = encodeURIComponent

/** A new id for a conversation; unguessable, because it opens the conversation. */
export const newChatId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** Who asks: a manager in the studio, or a visitor of a chat page, who has no session. */
type Asker = 'manager' | 'visitor'

/**
 * Asks a flow and calls `onEvent` with each event of the answer; the last one is `end`.
 *
 * @throws ServerFailure a refusal before the answer began; code `connection_lost` where the answer broke off, `left` where the signal
 *   ended the wait for it
 */
export async function streamAnswer(
  flowId: string,
  body: AskBody,
  onEvent: (event: StreamedEvent) => void,
  { asker = 'manager', signal }: { asker?: Asker; signal?: AbortSignal } = {},
): Promise<void> {
  const broken = (code: string, message: string): never => {
    report('no-answer')
    throw signal?.aborted
      ? new ServerFailure(0, 'left', 'The server does not say whether the answer was stopped')
      : new ServerFailure(0, code, message)
  }
  const cut = () => broken('connection_lost', 'The connection broke before the answer ended')
  const route = asker === 'manager' ? 'internal-prediction' : 'prediction'
  const response = await fetch(`/api/v1/${route}/${idOf(flowId)}`, {
    method: 'POST',
    headers: { accept: 'text/event-stream, application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, streaming: true }),
    ...(signal ? { signal } : {}),
  }).catch(() => broken('no_answer', 'The server does not answer'))
  report('answer')
  if (!response.ok) {
    const failure = failureOf(response.status, await response.text().catch(cut))
    if (failure.status === 401) report('signed-out')
    throw failure
  }
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return eventsOf((await response.json().catch(cut)) as PredictionAnswer).forEach(onEvent)
  let ended = false
  try {
    const read = createFrameReader()
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      for (const event of read(value)) {
        ended ||= event.event === 'end'
        onEvent(event)
      }
    }
  } catch {
    // Described below: a connection that breaks is an error or an early end.
  }
  if (!ended) cut()
}

/** A whole answer as the events that it would have been. */
const eventsOf = ({ text, ...rest }: PredictionAnswer): StreamedEvent[] => [
  { event: 'token', data: text },
  ...(['sourceDocuments', 'usedTools', 'agentFlowExecutedData', 'action'] as const).flatMap((event) =>
    rest[event] ? [{ event, data: rest[event] }] : [],
  ),
  { event: 'metadata', data: rest },
  { event: 'end', data: '[DONE]' },
]

/** How long the stream of an answer may go on after it was asked to stop, in milliseconds. */
const STOP_MS = 5000

export const stopAnswer = (flowId: string, chatId: string): Promise<unknown> =>
  call(`/api/v1/chatmessage/abort/${idOf(flowId)}/${idOf(chatId)}`, { method: 'PUT' })

/** Stops an answer whose stream is read: the stream says so, and ends. One that does not is left by its controller. */
export function stopStream(flowId: string, chatId: string, stream: AbortController): void {
  setTimeout(() => stream.abort(), STOP_MS)
  stopAnswer(flowId, chatId).catch(() => stream.abort())
}

const messages = (flowId: string) => `/api/v1/chatmessage/${idOf(flowId)}`

/** The messages of a conversation, oldest first. */
export const listMessages = (flowId: string, chatId: string): Promise<ChatMessage[]> =>
  call(messages(flowId), { query: { chatId, feedback: true } })

/** Deletes a conversation, or from a moment on. */
export const deleteMessages = (flowId: string, chatId: string, startDate?: string): Promise<unknown> =>
  call(addressOf(messages(flowId), { chatId, startDate }), { method: 'DELETE' })

export const listConversations = (
  flowId: string,
  page: number,
  search: string,
): Promise<{ data: Conversation[]; total: number }> =>
  call(`/api/v1/chatflows/${idOf(flowId)}/conversations`, {
    query: { page, limit: 50, search: search || undefined },
  })

export const rateAnswer = (
  flowId: string,
  feedback: { chatId: string; messageId: string; rating: 'THUMBS_UP' | 'THUMBS_DOWN'; content?: string },
): Promise<unknown> => call(`/api/v1/feedback/${idOf(flowId)}`, { method: 'POST', body: feedback })

/** What a question to the flow may bring, and the prompts to begin with. */
export const chatWindow = (flowId: string): Promise<ChatWindow> =>
  call(`/api/v1/public-chatbotConfig/${idOf(flowId)}`)

/** The texts of files, for a flow that reads them with a question. */
export async function readAttachments(flowId: string, chatId: string, files: readonly File[]) {
  const form = new FormData()
  for (const file of files) form.append('files', file, file.name)
  const response = await fetch(`/api/v1/attachments/${idOf(flowId)}/${idOf(chatId)}`, {
    method: 'POST',
    body: form,
  })
  if (!response.ok) throw failureOf(response.status, await response.text())
  return (await response.json()) as { name: string; mimeType: string; content: string }[]
}
