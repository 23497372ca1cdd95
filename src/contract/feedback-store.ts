import type { FeedbackRating } from './chat-message.ts'

/** A rating of an answer; an answer has one at the most. */
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
  /** The feedback on a message, new or in place of the one before, which keeps its id. */
  put(feedback: FeedbackRow): Promise<FeedbackRow>
  update(id: string, change: { rating?: FeedbackRating; content?: string }): Promise<void>
}
