/**
 * What a flow does with its questions by itself: `watch` asks them after each upsert; `block` does that too, and a publish that would
 * fail one which passes is refused.
 */
export const QUESTION_WATCHES = ['off', 'watch', 'block'] as const
export type QuestionWatch = (typeof QUESTION_WATCHES)[number]
