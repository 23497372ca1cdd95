import type { Ranked, SideScores } from '../contract/search.ts'
import type { Ranking } from '../contract/retrieval.ts'
import { combineRanks, combineScores } from './fusion.ts'

/**
 * Orders candidates, best first, by one side or by both. A candidate that the only side did not find is left out, and so is
 * one below the least score.
 */
export function rankCandidates<Candidate extends SideScores>(
  found: readonly Candidate[],
  { minScore, limit = Infinity, ...ranking }: Ranking,
): Ranked<Candidate>[] {
  const fit =
    minScore === undefined
      ? found
      : found.filter(({ vectorScore }) => vectorScore !== null && vectorScore >= minScore)
  return inOrder(fit, ranking).slice(0, limit)
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
