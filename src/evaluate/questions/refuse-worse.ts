import type { QuestionStore } from '../../contract/question-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { StorePart } from '../../contract/card.ts'
import type { Retriever } from '../../retrieve/run.ts'
import { askQuestions } from './ask-questions.ts'
import { failsNow, passes } from './changed-results.ts'
import { acceptedQuestions } from './accepted-questions.ts'

export type PublishCheck = {
  questions: Pick<QuestionStore, 'list'>
  retriever: Retriever
  flow: { id: string; slug: string }
  /** The store as users meet it now, and as they would meet it after the publish: the same index with other settings. */
  live: StorePart
  draft: StorePart
  signal?: AbortSignal | undefined
}

/**
 * Refuses a publish that would leave a question without its right hit that has one now, for flows with `questions: block`. Both sides are
 * asked now: a run of before may have met other documents. Only questions that fail with the draft are asked of the live flow, too.
 *
 * @returns how many questions were asked; 0 for a draft with another embedder, which cannot be asked before a reindex
 * @throws SluiceError `questions_worse`, and what a query throws
 */
export async function refuseWorse({
  questions,
  retriever,
  flow,
  live,
  draft,
  signal,
}: PublishCheck): Promise<number> {
  const built = await draft.store.embedder()
  if (built !== undefined && built !== draft.embedder.id) return 0
  const accepted = await acceptedQuestions(questions, flow.id)
  const asked = (part: StorePart, which: typeof accepted) =>
    askQuestions({ part, questions: which, retriever, signal })
  const now = await asked(draft, accepted)
  const failing = new Set(
    now.filter((one) => one.ndcg10 !== null && !passes(one)).map(({ question }) => question),
  )
  const before = await asked(
    live,
    accepted.filter(({ id }) => failing.has(id)),
  )
  const worse = failsNow(now, before)
  if (worse.length > 0)
    throw new SluiceError('questions_worse', {
      flow: flow.slug,
      count: worse.length,
      questions: worse
        .slice(0, SHOWN)
        .map(({ question }) => question)
        .join(', '),
    })
  return accepted.length
}

/** How many questions a refusal names. */
const SHOWN = 10
