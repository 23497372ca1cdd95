import type { FeedbackRating } from './chat-message.ts'

/** A rating of an answer; each answer has at most one. */
export type FeedbackRow = {
  id: string
  flowId: string
  chatId: string
  messageId: string
  rating: FeedbackRating
  content: string
  createdAt: number
}

export type FeedbackStore = {
  find(id: string): Promise<FeedbackRow | undefined>
  list(flowId: string): Promise<FeedbackRow[]>
  /** Stores the feedback on a message. It replaces an earlier one, and keeps the id of that. */
  put(feedback: FeedbackRow): Promise<FeedbackRow>
  update(id: string, change: { rating?: FeedbackRating; content?: string }): Promise<void>
}
