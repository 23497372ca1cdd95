import type { JsonObject } from '../kit/json.ts'
import type { ChatHistory } from './chat-history.ts'
import type { ChatType, FeedbackRating } from './chat-message.ts'

/** A question or an answer, as it is kept. */
export type ChatMessageRow = {
  id: string
  flowId: string
  chatId: string
  sessionId: string
  role: 'userMessage' | 'apiMessage'
  content: string
  /** `INTERNAL` where a manager asked. */
  chatType: ChatType
  memoryType: string | null
  /** Fields that are not searched: `sourceDocuments`, `usedTools`, `fileUploads`, `leadEmail`… by their names in Flowise. */
  details: JsonObject
  createdAt: number
}

/** A picture that came with a question. */
export type ChatFile = { id: string; name: string; mime: string; content: Uint8Array<ArrayBuffer> }

export type NewQuestion = {
  message: ChatMessageRow
  /** The key that owns the session from now on; null where every caller may continue it. */
  owner: string | null
  /** Whether the owner is ignored: a manager may continue every session. */
  anyOwner: boolean
  files: readonly ChatFile[]
}

/** Which messages are meant; what is absent does not narrow. Times in ms since 1970, both ends included. */
export type MessageFilter = {
  id?: string | undefined
  chatId?: string | undefined
  sessionId?: string | undefined
  chatTypes?: readonly ChatType[] | undefined
  memoryType?: string | undefined
  from?: number | undefined
  to?: number | undefined
  ratings?: readonly FeedbackRating[] | undefined
}

export type RemovedMessages = { count: number; ended: string[] }

export type MessagePage = { ascending: boolean; offset?: number; limit?: number }

export type ChatMessageStore = ChatHistory & {
  /** Stores a question before its run. @throws SluiceError `flow_not_found`, `session_taken` */
  addQuestion(question: NewQuestion): Promise<void>
  /**
   * Whether a caller may add to a chat, and go on with a session of it: both are free, or began with the same caller.
   *
   * @throws SluiceError `session_taken`
   */
  requireOwner(
    place: { flowId: string; chatId: string; sessionId: string },
    owner: string | null,
  ): Promise<void>
  /** Stores the answer to a question; nothing where that has been deleted meanwhile. */
  addAnswer(questionId: string, answer: ChatMessageRow): Promise<void>
  find(id: string): Promise<ChatMessageRow | undefined>
  list(
    flowId: string,
    filter: MessageFilter,
    page: MessagePage,
  ): Promise<{ rows: ChatMessageRow[]; total: number }>
  /** Answers how many were removed, and the chats that have no message left. */
  remove(flowId: string, filter: MessageFilter): Promise<RemovedMessages>
  file(id: string): Promise<ChatFile | undefined>
}
