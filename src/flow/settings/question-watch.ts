import { QUESTION_WATCHES, type QuestionWatch } from '../../contract/question-watch.ts'
import { isObject, type Json } from '../../kit/json.ts'

/** `questions` of the `apiConfig` of a flow; `off` unless it is one of {@link QUESTION_WATCHES}. */
export function questionWatchOf(apiConfig: Json | unknown): QuestionWatch {
  const value = isObject(apiConfig) ? (apiConfig as { questions?: unknown }).questions : undefined
  return QUESTION_WATCHES.find((one) => one === value) ?? 'off'
}
