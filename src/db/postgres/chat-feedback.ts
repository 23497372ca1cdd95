import type { FeedbackStore } from '../../contract/feedback-store.ts'
import { feedbackFromRow } from '../rows/feedback.ts'
import type { PostgresDatabase } from './database.ts'

export function postgresFeedback({ reader, writer }: PostgresDatabase): FeedbackStore {
  return {
    async find(id) {
      const row = await reader.get('SELECT * FROM chat_feedback WHERE id = $1', id)
      return row && feedbackFromRow(row)
    },
    async list(flowId) {
      const rows = await reader.all(
        'SELECT * FROM chat_feedback WHERE flow_id = $1 ORDER BY created_at, id',
        flowId,
      )
      return rows.map(feedbackFromRow)
    },
    async put({ id, flowId, chatId, messageId, rating, content, createdAt }) {
      const row = await writer.get(
        `INSERT INTO chat_feedback (id, flow_id, chat_id, message_id, rating, content, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (message_id) DO UPDATE SET rating = excluded.rating, content = excluded.content
         RETURNING *`,
        id,
        flowId,
        chatId,
        messageId,
        rating,
        content,
        createdAt,
      )
      return feedbackFromRow(row!)
    },
    async update(id, { rating = null, content = null }) {
      await writer.run(
        'UPDATE chat_feedback SET rating = coalesce($2, rating), content = coalesce($3, content) WHERE id = $1',
        id,
        rating,
        content,
      )
    },
  }
}
