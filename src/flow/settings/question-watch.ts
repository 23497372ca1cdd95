import { isObject, type Json } from '../../kit/json.ts'

/**
 * What a flow does with its questions by itself: `watch` asks them after each upsert; `block` does that too, and a publish that would
 * fail one which passes is refused.
 */
export const QUESTION_WATCHES = ['off', 'watch', 'block'] as const
export type QuestionWatch = (typeof QUESTION_WATCHES)[number]

/** `questions` of the `apiConfig` of a flow; `off` unless it is one of {@link QUESTION_WATCHES}. */
export function questionWatchOf(apiConfig: Json | unknown): QuestionWatch {
  const value = isObject(apiConfig) ? (apiConfig as { questions?: unknown }).questions : undefined
  return QUESTION_WATCHES.find((one) => one === value) ?? 'off'
}
