import type { Candidate, Ranked, SideScores } from '../contract/search.ts'
import { UNRELATED_COSINE } from './confidence-weights.ts'
import { wordsIn } from './question-kind.ts'

/** What an estimate is computed from: BM25, the cosine, or both. */
export type ConfidenceBasis = 'keyword' | 'vector' | 'both'

/** A question, and what was found for it. */
export type Asked = {
  question: string
  /** The scores of all that was found. */
  found: readonly SideScores[]
  /** The first candidates, best first, before rescoring; at least {@link BACKGROUND_HITS} unless fewer were found. */
  ranked: readonly Ranked<Candidate>[]
}

/** How many of the best hits are compared: an answer has a much higher score than the hits after it. */
export const BACKGROUND_HITS = 20

/** So many other chunks of its own source may be as good as a chunk: the one beside it often has half of its text. */
const NEIGHBOURS = 1

/**
 * The features of a candidate among those of one query: the value of a side, how far it is below the best of the query, the
 * mean of those behind the best, how far it is above the next source, and the logarithm of 1 + the words of the question. With
 * both sides these are of the keywords, and the cosine comes last.
 */
export function featuresOf(
  { question, found, ranked }: Asked,
  basis: ConfidenceBasis,
): (candidate: Candidate) => number[] | null {
  const side = basis === 'vector' ? 'vectorScore' : 'matched'
  // Where there are fewer, the missing ones count as unrelated: they match no word.
  const missing = basis === 'vector' ? UNRELATED_COSINE : 0
  const values = found.map((one) => one[side] ?? 0).toSorted((one, other) => other - one)
  const [best = missing, ...behind] = Array.from(
    { length: BACKGROUND_HITS },
    (_, at) => values[at] ?? missing,
  )
  const background = behind.reduce((sum, value) => sum + value, 0) / behind.length
  const length = Math.log(1 + wordsIn(question))
  const first = ranked.slice(0, BACKGROUND_HITS).map(({ candidate }) => ({
    candidate,
    value: candidate[side] ?? 0,
    source: candidate.metadata.source,
  }))
  return (candidate) => {
    const value = candidate[side] ?? (basis === 'both' ? 0 : null)
    if (value === null) return null
    const gap = value - nextSource(candidate, first, missing)
    return [
      value,
      best - value,
      background,
      gap,
      length,
      ...(basis === 'both' ? [candidate.vectorScore ?? 0] : []),
    ]
  }
}

type First = { candidate: Candidate; value: number; source: unknown }

/**
 * The best value of another source than that of a candidate. Further chunks of its own source count too, except its neighbour:
 * a collection can be a single long document.
 */
function nextSource(candidate: Candidate, first: readonly First[], missing: number): number {
  const { source } = candidate.metadata
  const own: number[] = []
  let next = missing
  for (const one of first) {
    if (one.candidate === candidate) continue
    if (source !== undefined && one.source === source) own.push(one.value)
    else next = Math.max(next, one.value)
  }
  own.sort((one, other) => other - one)
  return Math.max(next, own[NEIGHBOURS] ?? missing)
}
