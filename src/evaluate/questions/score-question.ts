import type { QuestionJudgement, QuestionResult } from '../../contract/question-store.ts'
import { ndcg, recall } from '../measures.ts'
import { holdsPassage, type SoughtPassage, soughtPassage } from './holds-passage.ts'

/** A hit as a flow gives it. */
export type ScoredHit = { pageContent: string; metadata: { source?: unknown } }

/** A judgement, prepared for the hits of an answer. */
export type SoughtJudgement = QuestionJudgement & { sought: SoughtPassage | undefined }

export const soughtJudgements = (judgements: readonly QuestionJudgement[]): SoughtJudgement[] =>
  judgements.map((one) => ({ ...one, sought: one.passage && soughtPassage(one.passage.quote) }))

/** Whether a chunk of some text meets a judgement. */
export const meets = (judgement: SoughtJudgement, source: string, text: SoughtPassage): boolean =>
  judgement.source === source && (judgement.sought === undefined || holdsPassage(text, judgement.sought))

/** The measures of one answer, and which judgements its hits have met, by their place in the list. */
export type QuestionScore = Pick<QuestionResult, 'place' | 'ndcg10' | 'recall10'> & { met: Set<number> }

/** How many hits count. */
const DEPTH = 10

/**
 * Measures an answer by the judgements that count: those that are right and not gone. What is judged right counts once, at its first
 * hit; later hits of the same are left out, and where only sources are judged, later hits of any source. A passage that is judged wrong
 * is wrong, also in a source that is right.
 */
export function scoreQuestion(
  hits: readonly ScoredHit[],
  judgements: readonly SoughtJudgement[],
  counts: (at: number) => boolean = () => true,
): QuestionScore {
  const right = judgements.flatMap(({ grade }, at) => (grade > 0 && counts(at) ? [at] : []))
  const bySource = judgements.every(({ sought }) => sought === undefined)
  const met = new Set<number>()
  const order: string[] = []
  const seen = new Set<string>()
  let place: number | null = null
  for (const [at, hit] of hits.entries()) {
    const source = String(hit.metadata.source)
    const text = soughtPassage(hit.pageContent)
    const found = judgements.flatMap((one, index) => (meets(one, source, text) ? [index] : []))
    const isWrong = found.some((index) => judgements[index]!.sought && judgements[index]!.grade === 0)
    const good = isWrong ? [] : found.filter((index) => right.includes(index))
    if (good.length > 0) place ??= at + 1
    const fresh = good
      .filter((index) => !met.has(index))
      .toSorted((one, other) => judgements[other]!.grade - judgements[one]!.grade)
    const [best] = fresh
    if (best !== undefined) {
      // A hit that has several right passages is the answer to each of them.
      for (const index of fresh) {
        met.add(index)
        order.push(String(index))
      }
    } else if (good.length === 0 && !(bySource && seen.has(source))) order.push(`hit ${at}`)
    seen.add(source)
  }
  if (right.length === 0) return { place, ndcg10: null, recall10: null, met }
  const grades = new Map(right.map((index) => [String(index), judgements[index]!.grade]))
  return { place, ndcg10: ndcg(order, grades, DEPTH), recall10: recall(order, grades, DEPTH), met }
}
