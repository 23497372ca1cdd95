import type { Ranking } from '../contract/retrieval.ts'
import type { Candidate, Ranked, RankedCandidates, SideRanks, TermFacts } from '../contract/search.ts'
import { bm25Of, termScores } from '../keyword/term-scores.ts'
import { countPassageTerms } from '../text/terms/count-terms.ts'
import { type ScoreParts, scorePartsAmong } from '../vector/score-parts.ts'
import type { ChosenCandidate } from './trace.ts'
import type { QuestionWords } from './question-words.ts'
import type { Rescoring } from './rescoring/rescore-candidates.ts'

/**
 * The places of a hit, from 1: on each side, after both were combined, after rescoring, and after a reranker, where there is one. With
 * MMR the order of the answer is another one.
 */
export type HitRanks = SideRanks & { combined: number; rescored?: number; reranked?: number }

/**
 * A term of the question in a hit: its word, how many of the stored texts have it, how often it is in this one, and its part of the BM25:
 * as a number, and 0 to 1. `word` is null for a term that no word of the question is alone, such as two characters of two words.
 */
export type TermShare = {
  word: string | null
  holders: number
  texts: number
  times: number
  score: number
  share: number
}

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
  /** The terms of the question that it has, the largest part first; absent where another server has searched the words. */
  terms?: TermShare[]
}

/** Explains the hits of one query, of which `ranking` has asked for the ranks. */
export function hitExplainer(
  { ranked, found, termFacts }: RankedCandidates,
  rescored: Rescoring | undefined,
  ranking: Ranking,
  words?: QuestionWords,
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
      ...(termFacts ? { terms: termShares(candidate, termFacts, words) } : {}),
    }
  }
}

/** The parts of a BM25; none where the keyword side did not give the candidate. */
function termShares(
  { passage, pageContent, keywordScore }: Candidate,
  facts: TermFacts,
  words: QuestionWords | undefined,
): TermShare[] {
  if (keywordScore === null) return []
  const scores = termScores(facts, countPassageTerms(passage ?? pageContent))
  const all = bm25Of(scores) ?? 0
  return scores
    .map(({ term, holders, times, score }) => ({
      ...{ word: words?.of(term) ?? null, holders, texts: facts.passages, times, score },
      share: all > 0 ? score / all : 0,
    }))
    .sort((one, other) => other.score - one.score)
}

const placesAmong = (ranked: readonly Ranked<Candidate>[]) =>
  new Map(ranked.map((one, at) => [one.candidate, { one, place: at + 1 }]))
