import type { JsonObject } from '../kit/json.ts'
import type { ChatHistory } from './chat-history.ts'
import type { ChatType, FeedbackRating } from './chat-message.ts'

/** A stored question or answer. */
export type ChatMessageRow = {
  id: string
  flowId: string
  chatId: string
  sessionId: string
  role: 'userMessage' | 'apiMessage'
  content: string
  /** `INTERNAL` for a question of a manager. */
  chatType: ChatType
  memoryType: string | null
  /** Fields without a column: `sourceDocuments`, `usedTools`, `fileUploads`, `leadEmail`… with Flowise's names. */
  details: JsonObject
  /** In ms since 1970. */
  createdAt: number
}

/** A picture sent with a question. */
export type ChatFile = { id: string; name: string; mime: string; content: Uint8Array<ArrayBuffer> }

export type NewQuestion = {
  message: ChatMessageRow
  /** The name of the key that owns the session from now on; null if every caller may continue it. */
  owner: string | null
  /** Skips the check of the owner: a manager may continue every session. */
  anyOwner: boolean
  /** Whether the session must be new or have this owner: one without an owner is refused too. */
  ownedOnly?: boolean | undefined
  files: readonly ChatFile[]
}

/** Selects messages. An absent field selects all. Times in ms since 1970, both ends included. */
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

/** A conversation by its messages. Times in ms since 1970. */
export type ConversationRow = {
  chatId: string
  /** The first message, which is a question, and the last one. */
  first: ChatMessageRow
  last: ChatMessageRow
  messages: number
}

/** `ended`: the ids of the chats without any message left. */
export type RemovedMessages = { count: number; ended: string[] }

/**
 * The owner of a conversation that got files before files had owners, and has no message: no key has this name, so it is for managers
 * alone. In an open flow its owner is null, unless a key with pins has loaded some of the files.
 */
export const UNKNOWN_OWNER = ''

/** Whose conversations a caller may continue: as of {@link NewQuestion}. */
export type ConversationCaller = Pick<NewQuestion, 'owner' | 'anyOwner' | 'ownedOnly'>

/** A caller that loads files into a conversation. Time in ms since 1970. */
export type ConversationClaim = ConversationCaller & { now: number }

export type MessagePage = { ascending: boolean; offset?: number; limit?: number }

export type ChatMessageStore = ChatHistory & {
  /** Stores a question before its run. @throws SluiceError `flow_not_found`, `session_taken` */
  addQuestion(question: NewQuestion): Promise<void>
  /**
   * Checks that a caller may continue a chat and its session: each is new, or belongs to the same caller. A chat begins with its first
   * question, or with the first files that are loaded into it.
   *
   * @param ownedOnly whether one without an owner is refused too
   * @throws SluiceError `session_taken`
   */
  requireOwner(
    conversation: { flowId: string; chatId: string; sessionId: string },
    owner: string | null,
    ownedOnly?: boolean,
  ): Promise<void>
  /** Stores the answer to a question. Does nothing if the question has been deleted. */
  addAnswer(questionId: string, answer: ChatMessageRow): Promise<void>
  /**
   * Begins or continues a conversation with files: from now on it has an owner, as after a question.
   *
   * @throws SluiceError `flow_not_found`, `session_taken`
   */
  claim(conversation: { flowId: string; chatId: string }, claim: ConversationClaim): Promise<void>
  /**
   * Removes who began conversations with files, once these files are removed.
   *
   * @param chatIds all of the flow if absent
   * @param before claims of this time and later stay, in ms since 1970
   */
  removeClaims(flowId: string, chatIds: readonly string[] | undefined, before: number): Promise<void>
  /** Conversations that were begun with files, have no message, and got no file since a time (ms since 1970). */
  withoutMessages(flowId: string, before: number, limit: number): Promise<string[]>
  /** Adds details to a question that gets no answer. Does nothing if it has been deleted. */
  noteFailure(questionId: string, details: JsonObject): Promise<void>
  find(id: string): Promise<ChatMessageRow | undefined>
  list(
    flowId: string,
    filter: MessageFilter,
    page: MessagePage,
  ): Promise<{ rows: ChatMessageRow[]; total: number }>
  /** The conversations of a flow, the last used first. */
  conversations(
    flowId: string,
    page: { offset: number; limit: number; search?: string | undefined },
  ): Promise<{ rows: ConversationRow[]; total: number }>
  remove(flowId: string, filter: MessageFilter): Promise<RemovedMessages>
  file(id: string): Promise<ChatFile | undefined>
}
