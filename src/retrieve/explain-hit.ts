import type { Ranking } from '../contract/retrieval.ts'
import type { Candidate, Ranked, RankedCandidates, SideRanks } from '../contract/search.ts'
import { type ScoreParts, scorePartsAmong } from '../vector/score-parts.ts'
import type { ChosenCandidate } from './choose.ts'
import type { Rescoring } from './rescoring/rescore-candidates.ts'

/**
 * The places of a hit, from 1: on each side, after both were combined, after rescoring, and after a reranker, where there is one. With
 * MMR the order of the answer is another one.
 */
export type HitRanks = SideRanks & { combined: number; rescored?: number; reranked?: number }

/** Why a hit stands where it does. */
export type HitExplanation = {
  /** The score that it was ranked by, before a reranker and MMR. */
  rankedScore: number
  /** What this score is the sum of. */
  parts: ScoreParts
  ranks: HitRanks
  /**
   * With MMR: the score ÷ the best one, and the cosine to the closest of the hits that were chosen before, with the id of that
   * one; for the first hit 0 and null.
   */
  mmr?: { relevance: number; likeness: number; closest: string | null }
}

/** Explains the hits of one query, of which `ranking` has asked for the ranks. */
export function hitExplainer(
  { ranked, found }: RankedCandidates,
  rescored: Rescoring | undefined,
  ranking: Ranking,
): (hit: ChosenCandidate) => HitExplanation {
  const combined = placesAmong(ranked)
  const again = rescored && placesAmong(rescored.ranked)
  const partsOf = rescored?.parts ?? scorePartsAmong(found, ranking)
  return ({ candidate, rerank, diversity }) => {
    const { place, one } = combined.get(candidate)!
    const last = again?.get(candidate)
    const { vector = null, keyword = null } = one.ranks ?? {}
    return {
      rankedScore: (last?.one ?? one).score,
      parts: partsOf(one),
      ranks: {
        ...{ vector, keyword, combined: place },
        ...(last ? { rescored: last.place } : {}),
        ...(rerank ? { reranked: rerank.place } : {}),
      },
      ...(diversity
        ? {
            mmr: {
              relevance: diversity.relevance,
              likeness: diversity.closest?.cosine ?? 0,
              closest: diversity.closest?.candidate.candidate.id ?? null,
            },
          }
        : {}),
    }
  }
}

const placesAmong = (ranked: readonly Ranked<Candidate>[]) =>
  new Map(ranked.map((one, at) => [one.candidate, { one, place: at + 1 }]))
