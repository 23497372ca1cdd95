import type { FeedbackRating } from '../../contract/chat-message.ts'
import type { FeedbackRow } from '../../contract/feedback-store.ts'
import type { StoredRow } from './stored-row.ts'

export function feedbackFromRow(row: StoredRow): FeedbackRow {
  return {
    id: row.id as string,
    flowId: row.flow_id as string,
    chatId: row.chat_id as string,
    messageId: row.message_id as string,
    rating: row.rating as FeedbackRating,
    content: row.content as string,
    createdAt: row.created_at as number,
  }
}
