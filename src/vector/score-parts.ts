import type { SideScores } from '../contract/search.ts'
import type { Ranking } from '../contract/retrieval.ts'
import { RANK_CONSTANT } from './fusion.ts'

/** What each side adds to the score of a candidate. */
export type ScoreParts = { vector: number; keyword: number }

/**
 * Explains the scores of one query. The two parts of a candidate add up to its score, except that candidates with equal
 * scores have the same rank here where ranks are combined.
 *
 * @param found all candidates of the query
 */
export function scorePartsAmong(
  found: readonly SideScores[],
  { mode, fusion, weight, minScore }: Ranking,
): (candidate: SideScores) => ScoreParts {
  const fit =
    minScore === undefined
      ? found
      : found.filter(({ vectorScore }) => vectorScore !== null && vectorScore >= minScore)
  if (mode === 'hybrid' && fusion === 'rrf') {
    const vectorRank = ranksOf(fit.map(({ vectorScore }) => vectorScore))
    const keywordRank = ranksOf(fit.map(({ keywordScore }) => keywordScore))
    return ({ vectorScore, keywordScore }) => ({
      vector: vectorRank(vectorScore),
      keyword: keywordRank(keywordScore),
    })
  }
  const best = fit.reduce((most, { keywordScore }) => Math.max(most, keywordScore ?? 0), 0)
  const vectorWeight = mode === 'vector' ? 1 : mode === 'keyword' ? 0 : weight
  return ({ vectorScore, keywordScore }) => ({
    vector: vectorWeight * (vectorScore ?? 0),
    keyword: best > 0 ? ((1 - vectorWeight) * (keywordScore ?? 0)) / best : 0,
  })
}

/** The share of a score in reciprocal rank fusion. */
function ranksOf(scores: readonly (number | null)[]): (score: number | null) => number {
  const sorted = scores.filter((score) => score !== null).toSorted((one, other) => other - one)
  const places = new Map<number, number>()
  for (const [place, score] of sorted.entries()) if (!places.has(score)) places.set(score, place)
  return (score) => (score === null ? 0 : 1 / (RANK_CONSTANT + (places.get(score) ?? sorted.length) + 1))
}
