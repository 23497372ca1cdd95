import type { Candidate } from '../contract/chunk-store.ts'

export type Mode = 'hybrid' | 'vector' | 'keyword'

/** What the keyword side counts for; measured for the embedder in the box (models/NOTICE names it). */
const KEYWORD_WEIGHT = 0.5

/**
 * Ranks candidates. Hybrid is a convex combination of BM25, divided by the best of this query, and the exact cosine; a
 * chunk that the keyword side did not give has none of its part (Bruch, Gai and Ingber, "An Analysis of Fusion
 * Functions for Hybrid Retrieval", 2022). Chunks of equal score keep the order in which they came.
 */
export function fuse(
  candidates: readonly Candidate[],
  mode: Mode,
): { candidate: Candidate; score: number }[] {
  const best = Math.max(0, ...candidates.map((candidate) => candidate.keyword ?? 0))
  const scoreOf = ({ keyword, cosine }: Candidate): number => {
    if (mode === 'vector') return cosine ?? 0
    const words = keyword === null || best === 0 ? 0 : keyword / best
    return mode === 'keyword' ? words : KEYWORD_WEIGHT * words + (1 - KEYWORD_WEIGHT) * (cosine ?? 0)
  }
  return candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .sort((a, b) => b.score - a.score)
}
