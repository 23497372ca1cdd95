import type { StorePart } from '../../contract/card.ts'
import type { Question, QuestionMeasures, QuestionResult } from '../../contract/question-store.ts'
import type { Retriever } from '../../retrieve/run.ts'
import { judgedInStore } from './judged-in-store.ts'
import { scoreQuestion, soughtJudgements } from './score-question.ts'

export type AskQuestions = {
  /** The store of the flow as its users meet it: with its filter, threshold, mode, reranker and number of hits. */
  part: StorePart
  questions: readonly Question[]
  retriever: Retriever
  signal?: AbortSignal | undefined
  onAsked?: ((done: number) => void) | undefined
}

/**
 * Asks a flow its questions, one after another, in its live index. Nothing is stored. What is judged right and is not in the store any
 * more is told and not counted.
 *
 * @throws SluiceError what a query throws
 */
export async function askQuestions({
  part,
  questions,
  retriever,
  signal,
  onAsked,
}: AskQuestions): Promise<QuestionResult[]> {
  const inStore = judgedInStore(part.store)
  const results: QuestionResult[] = []
  for (const question of questions) {
    signal?.throwIfAborted()
    const began = performance.now()
    const [hits = []] = await retriever.retrieve(part, [question.text], {}, signal)
    const ms = Math.round((performance.now() - began) * 100) / 100
    const judgements = soughtJudgements(question.judgements)
    const { met } = scoreQuestion(hits, judgements)
    const gone = new Set<number>()
    for (const [at, judgement] of judgements.entries())
      if (judgement.grade > 0 && !met.has(at) && !(await inStore(judgement, signal))) gone.add(at)
    const { place, ndcg10, recall10 } = scoreQuestion(hits, judgements, (at) => !gone.has(at))
    const isJudged = judgements.some(({ grade }) => grade > 0)
    results.push({
      question: question.id,
      text: question.text,
      place: ndcg10 === null ? null : place,
      ndcg10,
      recall10,
      ms,
      ...(ndcg10 === null ? { uncounted: isJudged ? ('gone' as const) : ('unjudged' as const) } : {}),
      ...(gone.size > 0 ? { gone: [...new Set([...gone].map((at) => judgements[at]!.source))] } : {}),
    })
    onAsked?.(results.length)
  }
  return results
}

/** The means of the results of a run. */
export function questionMeasures(results: readonly QuestionResult[]): QuestionMeasures {
  const counted = results.filter(({ ndcg10 }) => ndcg10 !== null)
  const mean = (of: (result: QuestionResult) => number) =>
    counted.length === 0 ? null : counted.reduce((sum, one) => sum + of(one), 0) / counted.length
  const times = results.map(({ ms }) => ms).toSorted((one, other) => one - other)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? null
  return {
    asked: results.length,
    counted: counted.length,
    ndcg10: mean(({ ndcg10 }) => ndcg10!),
    recall10: mean(({ recall10 }) => recall10!),
    first: mean(({ place }) => Number(place === 1)),
    p50: at(0.5),
    p95: at(0.95),
  }
}
