import type { FeedbackRating } from '../../contract/chat-message.ts'
import type { FeedbackRow, FeedbackStore } from '../../contract/feedback-store.ts'
import { feedbackFromRow } from '../rows/feedback.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

export const putFeedback: Write<FeedbackRow, FeedbackRow> = {
  name: 'putFeedback',
  run(connection, { id, flowId, chatId, messageId, rating, content, createdAt }) {
    const row = connection.get(
      `INSERT INTO chat_feedback (id, flow_id, chat_id, message_id, rating, content, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)
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
}

export const updateFeedback: Write<
  { id: string; rating: FeedbackRating | null; content: string | null },
  void
> = {
  name: 'updateFeedback',
  run(connection, { id, rating, content }) {
    connection.run(
      'UPDATE chat_feedback SET rating = coalesce(?, rating), content = coalesce(?, content) WHERE id = ?',
      rating,
      content,
      id,
    )
  },
}

export function feedbackStore(database: Database): FeedbackStore {
  const { reader } = database
  return {
    async find(id) {
      const row = reader.get('SELECT * FROM chat_feedback WHERE id = ?', id)
      return row && feedbackFromRow(row)
    },
    async list(flowId) {
      return reader
        .all('SELECT * FROM chat_feedback WHERE flow_id = ? ORDER BY created_at, id', flowId)
        .map(feedbackFromRow)
    },
    put: (feedback) => database.write(putFeedback, feedback),
    update: (id, { rating = null, content = null }) =>
      database.write(updateFeedback, { id, rating, content }),
  }
}
