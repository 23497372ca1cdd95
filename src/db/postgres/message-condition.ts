import type { MessageFilter } from '../../contract/chat-message-store.ts'
import type { SqlValue } from './session.ts'

/** A condition for `WHERE` over `chat_messages`, and the values of `$1`, `$2`… in it. */
export type MessageCondition = { where: string; values: SqlValue[] }

export function messageCondition(flowId: string, filter: MessageFilter): MessageCondition {
  const conditions: [sql: string, value: SqlValue | undefined][] = [
    ['flow_id = $', flowId],
    ['id = $', filter.id],
    ['chat_id = $', filter.chatId],
    ['session_id = $', filter.sessionId],
    ['memory_type = $', filter.memoryType],
    ['created_at >= $', filter.from],
    ['created_at <= $', filter.to],
    ['chat_type = ANY($)', filter.chatTypes],
    ['id IN (SELECT message_id FROM chat_feedback WHERE rating = ANY($))', filter.ratings],
  ]
  const asked = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  return {
    where: asked.map(({ sql }, at) => sql.replace('$', () => `$${at + 1}`)).join(' AND '),
    values: asked.map(({ value }) => value),
  }
}

/** The messages of the chats of a flow; with a text, of those chats that have it in a message. */
export function searchCondition(flowId: string, search: string | undefined): MessageCondition {
  if (!search) return { where: 'flow_id = $1', values: [flowId] }
  return {
    where: `flow_id = $1 AND chat_id IN
      (SELECT chat_id FROM chat_messages WHERE flow_id = $1 AND content ILIKE $2 ESCAPE '\\')`,
    values: [flowId, `%${search.replace(/[\\%_]/g, '\\$&')}%`],
  }
}
