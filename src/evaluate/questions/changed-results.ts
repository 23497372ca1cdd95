import type { QuestionResult } from '../../contract/question-store.ts'

/** How the answer to a question changed from one run to another. `new`: it was not counted before. */
export const RESULT_CHANGES = ['worse', 'better', 'same', 'new', 'uncounted'] as const
export type ResultChange = (typeof RESULT_CHANGES)[number]

/** A question passes where a right hit is among those that users get. */
export const passes = ({ place }: Pick<QuestionResult, 'place'>): boolean => place !== null

/** Compares the result of a question with that of an earlier run. */
export function changeOf(now: QuestionResult, before: QuestionResult | undefined): ResultChange {
  if (now.ndcg10 === null) return 'uncounted'
  if (!before || before.ndcg10 === null) return 'new'
  const [was, is] = [before.place ?? Infinity, now.place ?? Infinity]
  if (is !== was) return is > was ? 'worse' : 'better'
  const difference = now.ndcg10 - before.ndcg10
  return Math.abs(difference) < 1e-9 ? 'same' : difference < 0 ? 'worse' : 'better'
}

/** The questions that passed before and fail now. */
export function failsNow(
  now: readonly QuestionResult[],
  before: readonly QuestionResult[],
): QuestionResult[] {
  const passed = new Set(before.filter(passes).map(({ question }) => question))
  return now.filter((one) => one.ndcg10 !== null && !passes(one) && passed.has(one.question))
}
