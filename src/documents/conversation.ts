import type { SourceRange, SourceScope } from '../contract/conversation.ts'
import type { Metadata } from '../contract/document.ts'
import type { Filter } from '../contract/filter.ts'

/** The metadata key for the chat id of a chunk that only its conversation finds. Flowise uses the same key. */
export const CHAT_ID_KEY = 'flowise_chatId'

/*
 * Stored names of sources. `|` is MARK, `>` is FENCE_MARK:
 *
 *   source                          of no conversation
 *   |flow|"chat"|source             of a conversation
 *   |>fence|source                  of no conversation, within a fence
 *   |flow|"chat"|>fence|source      of a conversation, within a fence
 */

/** The first character of the stored names of sources that are apart. No other source name begins with it. */
const MARK = '\u001f'
const AFTER_MARK = ' '
/** Stands before the id of a fence. */
const FENCE_MARK = '\u001e'

/** The sources of all conversations of all flows, and those of all fences. */
export const ALL_CONVERSATIONS: SourceRange = { from: MARK, before: AFTER_MARK }

const fencePrefix = (fence: string | undefined): string =>
  fence === undefined ? '' : FENCE_MARK + fence + MARK

function prefixOf({ flowId, chatId, fence }: SourceScope): string {
  if (flowId === undefined) return MARK + fencePrefix(fence)
  return chatId === undefined
    ? MARK + flowId + MARK
    : MARK + flowId + MARK + JSON.stringify(chatId) + MARK + fencePrefix(fence)
}

/** The sources of a conversation or a fence. Those of a conversation without `fence` include the ones of all fences. */
export function conversationSources(scope: SourceScope): SourceRange {
  const from = prefixOf(scope)
  return { from, before: from.slice(0, -1) + AFTER_MARK }
}

/** The name of a source in the store. The same file in two conversations or fences is two sources. */
export function storedSourceName(source: string, scope: SourceScope | undefined): string {
  const { flowId, chatId, fence } = scope ?? {}
  const stored =
    flowId === undefined ? escaped(source, MARK) : prefixOf({ flowId, chatId }) + escaped(source, FENCE_MARK)
  return fence === undefined ? stored : fencedSourceName(stored, fence)
}

/** A name that does not begin with a mark. */
const escaped = (source: string, mark: string): string =>
  source.startsWith(mark) ? AFTER_MARK + source : source

/** The length of the prefix of a conversation; 0 for a source of none. */
function conversationLength(stored: string): number {
  if (!stored.startsWith(MARK) || stored[1] === FENCE_MARK) return 0
  const endOfFlow = stored.indexOf(MARK, 1)
  return stored.indexOf(MARK, endOfFlow + 1) + 1
}

/** The stored name within a fence of a source, from its stored name without one. */
export function fencedSourceName(stored: string, fence: string): string {
  const length = conversationLength(stored)
  return length === 0
    ? MARK + fencePrefix(fence) + stored
    : stored.slice(0, length) + fencePrefix(fence) + stored.slice(length)
}

/** Whether a stored name is of a source within a fence. */
export function isWithinFence(stored: string, fence: string): boolean {
  if (!stored.startsWith(MARK)) return false
  return stored.startsWith(fencePrefix(fence), conversationLength(stored) || 1)
}

/** What the stored name of each source within a fence contains; other names may contain it too. */
export const markOfFence = (fence: string): string => fencePrefix(fence)

/** The name of a source as the client sent it. */
export function originalSourceName(stored: string): string {
  if (!stored.startsWith(MARK)) return stored
  const rest = stored[1] === FENCE_MARK ? stored.slice(1) : stored.slice(conversationLength(stored))
  return rest.startsWith(FENCE_MARK) ? rest.slice(rest.indexOf(MARK) + 1) : rest
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
