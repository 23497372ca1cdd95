import type { Ranked, SideScores } from '../contract/chunk-store.ts'
import type { Fusion, Mode } from '../contract/retrieval.ts'
import { combineRanks, combineScores } from '../vector/fusion.ts'

/** How candidates of both sides become one order. */
export type Ranking = { mode: Mode; fusion: Fusion; weight: number }

/**
 * Orders candidates, best first, by one side or by both; what a side that is asked alone did not find is left out.
 */
export function rankCandidates<Candidate extends SideScores>(
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
