import type { FeedbackRow } from '../../contract/feedback-store.ts'

/** A row as Flowise's clients know it. */
export const presentFeedback = ({
  id,
  flowId,
  chatId,
  messageId,
  rating,
  content,
  createdAt,
}: FeedbackRow) => ({
  id,
  chatflowid: flowId,
  chatId,
  messageId,
  rating,
  content,
  createdDate: new Date(createdAt).toISOString(),
})
