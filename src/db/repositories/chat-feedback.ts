import type { FeedbackRating } from '../../contract/chat-message.ts'
import type { FeedbackRow, FeedbackStore } from '../../contract/feedback-store.ts'
import type { SqlDatabase, SqlRow, SqlWrite } from '../sql/session.ts'
import { insertReturning } from '../sql/statements.ts'

export const putFeedback: SqlWrite<FeedbackRow, FeedbackRow> = {
  name: 'putFeedback',
  isOneStatement: true,
  async run(session, { id, flowId, chatId, messageId, rating, content, createdAt }) {
    const row = await insertReturning(
      session,
      'chat_feedback',
      {
        ...{ id, flow_id: flowId, chat_id: chatId, message_id: messageId },
        ...{ rating, content, created_at: createdAt },
      },
      'ON CONFLICT (message_id) DO UPDATE SET rating = excluded.rating, content = excluded.content',
    )
    return feedbackFromRow(row!)
  },
}

type Changes = { id: string; rating: FeedbackRating | null; content: string | null }

export const updateFeedback: SqlWrite<Changes, void> = {
  name: 'updateFeedback',
  isOneStatement: true,
  async run(session, { id, rating, content }) {
    await session.run(
      'UPDATE chat_feedback SET rating = coalesce(?, rating), content = coalesce(?, content) WHERE id = ?',
      rating,
      content,
      id,
    )
  },
}

export function feedbackStore({ reader, write }: SqlDatabase): FeedbackStore {
  return {
    async find(id) {
      const row = await reader.get('SELECT * FROM chat_feedback WHERE id = ?', id)
      return row && feedbackFromRow(row)
    },
    async list(flowId) {
      const rows = await reader.all(
        'SELECT * FROM chat_feedback WHERE flow_id = ? ORDER BY created_at, id',
        flowId,
      )
      return rows.map(feedbackFromRow)
    },
    put: (feedback) => write(putFeedback, feedback),
    update: (id, { rating = null, content = null }) => write(updateFeedback, { id, rating, content }),
  }
}

const feedbackFromRow = (row: SqlRow): FeedbackRow => ({
  id: row.id as string,
  flowId: row.flow_id as string,
  chatId: row.chat_id as string,
  messageId: row.message_id as string,
  rating: row.rating as FeedbackRating,
  content: row.content as string,
  createdAt: row.created_at as number,
})
