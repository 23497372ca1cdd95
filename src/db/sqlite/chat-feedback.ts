import type { FeedbackRating } from '../../contract/chat-message.ts'
import type { FeedbackRow, FeedbackStore } from '../../contract/feedback-store.ts'
import type { Row } from './connection.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

function fromRow(row: Row): FeedbackRow {
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
    return fromRow(row!)
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
      return row && fromRow(row)
    },
    async list(flowId) {
      return reader
        .all('SELECT * FROM chat_feedback WHERE flow_id = ? ORDER BY created_at, id', flowId)
        .map(fromRow)
    },
    put: (feedback) => database.write(putFeedback, feedback),
    update: (id, { rating = null, content = null }) =>
      database.write(updateFeedback, { id, rating, content }),
  }
}
