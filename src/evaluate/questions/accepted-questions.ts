import { type Question, QUESTION_LIMITS, type QuestionStore } from '../../contract/question-store.ts'

/** All accepted questions of a flow, the oldest first. */
export async function acceptedQuestions(
  questions: Pick<QuestionStore, 'list'>,
  flowId: string,
): Promise<Question[]> {
  const page = { state: 'accepted', offset: 0, limit: QUESTION_LIMITS.questions } as const
  return (await questions.list(flowId, page)).rows
}
