import type { TermFacts } from '../contract/search.ts'
import { dampings } from './bm25.ts'
import { classOf } from './length-class.ts'

/** How often a passage has each of its terms, and how many terms it has. */
export type TermCounts = { counts: ReadonlyMap<number, number>; length: number }

/** What a term adds to the BM25 of a passage that has it `times` times. */
export type TermScore = { term: number; holders: number; times: number; score: number }

/**
 * What the terms of a question add to the BM25 of a passage, those that it has, in the order in which a search adds them. Each step is
 * rounded to float32 as there, so that the scores added up in this order, rounded each time, are the BM25 of the search to the bit.
 */
export function termScores(facts: TermFacts, { counts, length }: TermCounts): TermScore[] {
  const damping = dampings(facts)[classOf(length)]!
  return facts.terms.flatMap(({ term, weight, holders }) => {
    const times = counts.get(term)
    if (times === undefined) return []
    const share = Math.fround(times / Math.fround(times + damping))
    return { term, holders, times, score: Math.fround(Math.fround(weight) * share) }
  })
}

/** The BM25 of a passage; null where it has none of the terms. */
export const bm25Of = (scores: readonly TermScore[]): number | null =>
  scores.length === 0 ? null : scores.reduce((sum, { score }) => Math.fround(sum + score), 0)
