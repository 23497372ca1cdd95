import type { Question, QuestionJudgement, UncountedReason } from '../../contract/question-store.ts'
import { sha256 } from '../../kit/hash.ts'
import type { Collection } from '../collection.ts'

/** A question with what is judged right and wrong. */
export type ComparedQuestion = {
  id: string
  text: string
  judgements: readonly QuestionJudgement[]
  /** Earlier questions of a conversation, the oldest first. */
  history?: readonly string[] | undefined
}

/** A question that no variant is asked, and why. */
export type UncountedQuestion = { id: string; text: string; reason: UncountedReason }

export const questionsOfCollection = ({ queries }: Pick<Collection, 'queries'>): ComparedQuestion[] =>
  queries.map(({ id, text, judged, history }) => ({
    id,
    text,
    judgements: [...judged].map(([source, grade]) => ({ source, grade })),
    ...(history ? { history } : {}),
  }))

/**
 * The questions that count, in an order that says nothing of them, so that the first third is as good as any. What is judged right and
 * is not among the documents is left out; a question without anything right is told and not counted.
 *
 * @param sources the names of the documents that are compared
 */
export function countedQuestions(
  questions: readonly (Question | ComparedQuestion)[],
  sources: ReadonlySet<string>,
): { counted: ComparedQuestion[]; uncounted: UncountedQuestion[] } {
  const counted: ComparedQuestion[] = []
  const uncounted: UncountedQuestion[] = []
  for (const { id, text, judgements, ...rest } of questions) {
    const isRight = ({ grade }: QuestionJudgement) => grade > 0
    const left = judgements.filter((one) => !isRight(one) || sources.has(one.source))
    if (left.some(isRight))
      counted.push({ id, text, judgements: left, ...('history' in rest ? { history: rest.history } : {}) })
    else uncounted.push({ id, text, reason: judgements.some(isRight) ? 'gone' : 'unjudged' })
  }
  const key = ({ id }: ComparedQuestion) => sha256(`order ${id}`)
  return { counted: counted.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)), uncounted }
}

/** The source that a question shares with others: that of its best judgement. */
export const clusterOf = ({ judgements }: ComparedQuestion): string =>
  judgements.reduce((best, one) => (one.grade > best.grade ? one : best)).source
