import type { Metadata } from './document.ts'
import type { Filter } from './filter.ts'

/**
 * The chunks of one conversation of a flow, or of all its conversations. The chat id is the permission to read the
 * chunks, so it is not shown to other callers.
 */
export type Conversation = { flowId: string; chatId?: string | undefined }

/** The metadata key for the chat id of a chunk that only its conversation finds. Flowise uses the same key. */
export const CHAT_ID_KEY = 'flowise_chatId'

/** The first character of the stored source names of conversations. No other source name begins with it. */
const MARK = '\u001f'
const AFTER_MARK = ' '

/** Source names `>= from` and `< before`, in the order of code points. */
export type SourceRange = { from: string; before: string }

/** The sources of all conversations of all flows. */
export const ALL_CONVERSATIONS: SourceRange = { from: MARK, before: AFTER_MARK }

const prefixOf = ({ flowId, chatId }: Conversation): string =>
  chatId === undefined ? MARK + flowId + MARK : MARK + flowId + MARK + JSON.stringify(chatId) + MARK

/** The sources of a conversation. */
export function conversationSources(conversation: Conversation): SourceRange {
  const from = prefixOf(conversation)
  return { from, before: from.slice(0, -1) + AFTER_MARK }
}

/** The name of a source in the store. The same file in two conversations is two sources. */
export const storedSourceName = (source: string, conversation: Conversation | undefined): string =>
  conversation ? prefixOf(conversation) + source : source.startsWith(MARK) ? AFTER_MARK + source : source

/** The name of a source as the client sent it. */
export function originalSourceName(stored: string): string {
  if (!stored.startsWith(MARK)) return stored
  const endOfFlow = stored.indexOf(MARK, 1)
  return stored.slice(stored.indexOf(MARK, endOfFlow + 1) + 1)
}

/** The chat id in metadata. */
export function chatIdOf(metadata: Metadata): string | undefined {
  const chat = metadata[CHAT_ID_KEY]
  if (typeof chat === 'string' && chat !== '') return chat
  return typeof chat === 'number' ? String(chat) : undefined
}

/** Metadata with the given chat id, or without any if it is undefined. */
export function withChatId(metadata: Metadata, chatId: string | undefined): Metadata {
  if (chatId !== undefined)
    return metadata[CHAT_ID_KEY] === chatId ? metadata : { ...metadata, [CHAT_ID_KEY]: chatId }
  if (!Object.hasOwn(metadata, CHAT_ID_KEY)) return metadata
  const { [CHAT_ID_KEY]: _, ...rest } = metadata
  return rest
}

/** The filter of a query, and the condition that a chunk belongs to its conversation or to none. */
export function conversationFilter({
  chatId,
  filter,
}: {
  chatId?: string | undefined
  filter?: Filter | undefined
}): Filter {
  const path = [CHAT_ID_KEY]
  const shared: Filter = { path, op: 'exists', exists: false }
  const visible: Filter =
    chatId === undefined ? shared : { op: 'or', all: [shared, { path, op: 'eq', value: chatId }] }
  return filter ? { op: 'and', all: [visible, filter] } : visible
}
