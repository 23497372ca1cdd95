import type { Ranked, SideScores } from '../contract/search.ts'
import type { Ranking } from '../contract/retrieval.ts'
import { RANK_CONSTANT } from './fusion.ts'

/** What the score of a candidate is the sum of: the part of each side, and what rescoring adds. */
export type ScoreParts = {
  vector: number
  keyword: number
  /** The best sentence. */
  sentence?: number
  /** The share of the question's terms that the passage has. */
  coverage?: number
  /** Matched terms in the order of the question, and near to one another. */
  phrase?: number
  /** The beginning of the source. */
  head?: number
  /** The length of the passage, compared with the mean of the rescored ones. */
  length?: number
  /** For a candidate that was not rescored: a constant that keeps it after those that were. */
  offset?: number
}

/**
 * Explains the scores of one query. The two parts of a candidate add up to its score.
 *
 * @param found all candidates of the query
 * @returns for a ranked candidate, which has its ranks where ranks are combined
 */
export function scorePartsAmong(
  found: readonly SideScores[],
  { mode, fusion, weight, minScore }: Ranking,
): (one: Ranked<SideScores>) => ScoreParts {
  if (mode === 'hybrid' && fusion === 'rrf') {
    const share = (rank: number | null | undefined) => (rank ? 1 / (RANK_CONSTANT + rank) : 0)
    return ({ ranks }) => ({ vector: share(ranks?.vector), keyword: share(ranks?.keyword) })
  }
  const best = bestKeyword(closeEnough(found, minScore))
  const vectorWeight = mode === 'vector' ? 1 : mode === 'keyword' ? 0 : weight
  return ({ candidate: { vectorScore, keywordScore } }) => ({
    vector: vectorWeight * (vectorScore ?? 0),
    keyword: best > 0 ? ((1 - vectorWeight) * (keywordScore ?? 0)) / best : 0,
  })
}

/** The best BM25 of the candidates that a ranking keeps; 0 where no keyword was found. */
export const bestKeywordAmong = (found: readonly SideScores[], { minScore }: Ranking): number =>
  bestKeyword(closeEnough(found, minScore))

const closeEnough = (found: readonly SideScores[], minScore: number | undefined): readonly SideScores[] =>
  minScore === undefined
    ? found
    : found.filter(({ vectorScore }) => vectorScore !== null && vectorScore >= minScore)

const bestKeyword = (found: readonly SideScores[]): number =>
  found.reduce((most, { keywordScore }) => Math.max(most, keywordScore ?? 0), 0)
