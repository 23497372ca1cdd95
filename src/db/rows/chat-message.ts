import type { ChatMessageRow } from '../../contract/chat-message-store.ts'
import type { ChatType } from '../../contract/chat-message.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { StoredRow } from './stored-row.ts'

/** The columns of a {@link ChatMessageRow}. */
export const CHAT_MESSAGE_COLUMNS =
  'id, flow_id, chat_id, session_id, role, content, chat_type, memory_type, details, created_at'

export function chatMessageFromRow(row: StoredRow): ChatMessageRow {
  return {
    id: row.id as string,
    flowId: row.flow_id as string,
    chatId: row.chat_id as string,
    sessionId: row.session_id as string,
    role: row.role as ChatMessageRow['role'],
    content: row.content as string,
    chatType: row.chat_type as ChatType,
    memoryType: row.memory_type as string | null,
    details: JSON.parse(row.details as string) as JsonObject,
    createdAt: row.created_at as number,
  }
}
