import type { Metadata } from './document.ts'

/**
 * Whose chunks are meant: those of one conversation of a flow, or of all conversations of it. Whoever knows the chat id
 * may read them; the id is not told to others.
 */
export type Conversation = { flowId: string; chatId?: string | undefined }

/** The metadata key that names the conversation which alone finds a chunk, as Flowise writes it. */
export const CHAT_ID_KEY = 'flowise_chatId'

/** Sources of conversations begin with it; no other source does. */
const MARK = '\u001f'
const AFTER_MARK = ' '

/** Names of sources: from the first on, before the second, in the order of code points. */
export type SourceRange = { from: string; before: string }

/** The sources of every conversation of every flow. */
export const ALL_CONVERSATIONS: SourceRange = { from: MARK, before: AFTER_MARK }

const prefixOf = ({ flowId, chatId }: Conversation): string =>
  chatId === undefined ? MARK + flowId + MARK : MARK + flowId + MARK + JSON.stringify(chatId) + MARK

/** The sources of a conversation. */
export function conversationSources(conversation: Conversation): SourceRange {
  const from = prefixOf(conversation)
  return { from, before: from.slice(0, -1) + AFTER_MARK }
}

/** What a source is called in the store: the same file of two conversations is two sources. */
export const storedSourceName = (source: string, conversation: Conversation | undefined): string =>
  conversation ? prefixOf(conversation) + source : source.startsWith(MARK) ? AFTER_MARK + source : source

/** What a source is called by those who brought it. */
export function originalSourceName(stored: string): string {
  if (!stored.startsWith(MARK)) return stored
  const endOfFlow = stored.indexOf(MARK, 1)
  return stored.slice(stored.indexOf(MARK, endOfFlow + 1) + 1)
}

/** The conversation that metadata name; undefined where they name none. */
export function chatIdOf(metadata: Metadata): string | undefined {
  const chat = metadata[CHAT_ID_KEY]
  if (typeof chat === 'string' && chat !== '') return chat
  return typeof chat === 'number' ? String(chat) : undefined
}

/** The metadata of a chunk of a conversation, or of one that everybody finds. */
export function withChatId(metadata: Metadata, chatId: string | undefined): Metadata {
  if (chatId !== undefined)
    return metadata[CHAT_ID_KEY] === chatId ? metadata : { ...metadata, [CHAT_ID_KEY]: chatId }
  if (!Object.hasOwn(metadata, CHAT_ID_KEY)) return metadata
  const { [CHAT_ID_KEY]: _, ...rest } = metadata
  return rest
}
