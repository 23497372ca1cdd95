import type { Ranked, SideRanks, SideScores } from '../contract/search.ts'
import type { Ranking } from '../contract/retrieval.ts'

/** The scores that an order is computed from. */
type Sided = Pick<SideScores, 'vectorScore' | 'keywordScore'>

/** How many candidates each side gives where `topK` are wanted. */
export const candidatesPerSide = (topK: number): number => Math.max(100, 2 * topK)

/**
 * Ranks by `weight` × cosine + (1 - `weight`) × keyword / best keyword score of this query. A side that did not give a
 * candidate adds 0. `weight` 1 counts vectors alone, 0 keywords alone.
 *
 * Before rank fusion: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2022.
 */
export function combineScores<Candidate extends Sided>(
  candidates: readonly Candidate[],
  weight = 0.5,
): Ranked<Candidate>[] {
  const best = candidates.reduce((most, { keywordScore }) => Math.max(most, keywordScore ?? 0), 0)
  return rank(candidates, ({ vectorScore, keywordScore }) => {
    const share = best > 0 ? (keywordScore ?? 0) / best : 0
    return weight * (vectorScore ?? 0) + (1 - weight) * share
  })
}

/** Of reciprocal rank fusion. */
export const RANK_CONSTANT = 60

/**
 * Ranks by the sum of 1 / (`constant` + rank) over the sides that gave a candidate: reciprocal rank fusion (Cormack,
 * Clarke, Büttcher, 2009). It uses no scores, so it fits sides whose scores are not comparable.
 */
export function combineRanks<Candidate extends Sided>(
  candidates: readonly Candidate[],
  constant = RANK_CONSTANT,
): Ranked<Candidate>[] {
  const ranks = ranksAmong(candidates)
  const share = (rank: number | null) => (rank === null ? 0 : 1 / (constant + rank))
  return rank(candidates, (candidate) => {
    const { vector, keyword } = ranks(candidate)
    return share(vector) + share(keyword)
  })
}

/** The places of some candidates on each side; equal ones of a side are in their order. */
function ranksAmong<Candidate extends Sided>(
  candidates: readonly Candidate[],
): (candidate: Candidate) => SideRanks {
  const [vector, keyword] = (['vectorScore', 'keywordScore'] as const).map((side) => {
    const given = candidates.filter((candidate) => candidate[side] !== null)
    return new Map(rank(given, (one) => one[side]!).map(({ candidate }, place) => [candidate, place + 1]))
  })
  return (candidate) => ({
    vector: vector!.get(candidate) ?? null,
    keyword: keyword!.get(candidate) ?? null,
  })
}

/** The best score first; equal ones stay in their order. */
function rank<Candidate>(
  candidates: readonly Candidate[],
  scoreOf: (candidate: Candidate) => number,
): Ranked<Candidate>[] {
  return candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .sort((left, right) => right.score - left.score)
}

/**
 * Orders candidates, best first, by one side or by both. A candidate that the only side did not find is left out, and so is
 * one below the least score.
 */
export function rankCandidates<Candidate extends SideScores>(
  found: readonly Candidate[],
  { minScore, limit = Infinity, explain, ...ranking }: Ranking,
): Ranked<Candidate>[] {
  const fit =
    minScore === undefined
      ? found
      : found.filter(({ vectorScore }) => vectorScore !== null && vectorScore >= minScore)
  const ranked = inOrder(fit, ranking).slice(0, limit)
  if (!explain) return ranked
  const ranks = ranksAmong(fit)
  return ranked.map((one) => ({ ...one, ranks: ranks(one.candidate) }))
}

function inOrder<Candidate extends SideScores>(
  candidates: readonly Candidate[],
  { mode, fusion, weight }: Ranking,
): Ranked<Candidate>[] {
  switch (mode) {
    case 'vector':
      return combineScores(
        candidates.filter(({ vectorScore }) => vectorScore !== null),
        1,
      )
    case 'keyword':
      return combineScores(
        candidates.filter(({ keywordScore }) => keywordScore !== null),
        0,
      )
    case 'hybrid':
      return fusion === 'rrf' ? combineRanks(candidates) : combineScores(candidates, weight)
  }
}
