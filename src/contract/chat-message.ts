/** `INTERNAL`: asked by a manager. `EXTERNAL`: asked by any other caller. */
export const CHAT_TYPES = ['INTERNAL', 'EXTERNAL'] as const
export type ChatType = (typeof CHAT_TYPES)[number]

export const FEEDBACK_RATINGS = ['THUMBS_UP', 'THUMBS_DOWN'] as const
export type FeedbackRating = (typeof FEEDBACK_RATINGS)[number]
