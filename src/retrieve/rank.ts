import type { Candidate } from '../contract/chunk-store.ts'
import { combineScores, type Ranked } from '../vector/fusion.ts'

/** Which sides answer: meaning, keywords, or both together. */
export const MODES = ['hybrid', 'vector', 'keyword'] as const
export type Mode = (typeof MODES)[number]

/** Orders candidates, best first, by one side or by both; what the one side did not find it leaves out. */
export function rankCandidates(
  candidates: readonly Candidate[],
  mode: Mode,
  weight: number,
): Ranked<Candidate>[] {
  switch (mode) {
    case 'vector':
      return combineScores(
        candidates.filter(({ cosine }) => cosine !== null),
        1,
      )
    case 'keyword':
      return combineScores(
        candidates.filter(({ keyword }) => keyword !== null),
        0,
      )
    case 'hybrid':
      return combineScores(candidates, weight)
  }
}
