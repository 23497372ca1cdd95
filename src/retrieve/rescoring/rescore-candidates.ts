import type { Candidate, Ranked, RankedCandidates } from '../../contract/search.ts'
import type { ScoreParts } from '../../vector/score-parts.ts'
import { candidateFeatures, type RescoringRequest } from './candidate-features.ts'
import type { PassageFeatures } from './passage-features.ts'
import { RESCORED, RESCORING_WEIGHTS as WEIGHTS } from './rescoring-weights.ts'

/** A passage that is the question, of a source with one candidate, has a score of about 1. */
const FULL_SCORE = Object.entries(WEIGHTS).reduce(
  (sum, [feature, weight]) => sum + (feature === 'length' || feature === 'sharedHead' ? 0 : weight),
  0,
)

/** The share of the hybrid score in a score. */
const HYBRID_SHARE = WEIGHTS.hybrid / FULL_SCORE

/** A new order, and what each candidate's score is the sum of. */
export type Rescoring = { ranked: Ranked<Candidate>[]; parts: (candidate: Candidate) => ScoreParts }

/**
 * Orders the first {@link RESCORED} candidates of a hybrid ranking by a weighted sum of {@link PassageFeatures}. The others
 * stay behind them, in their order. Equal scores keep the order of the ranking.
 */
export async function rescoreCandidates(
  candidates: RankedCandidates,
  request: RescoringRequest,
  signal?: AbortSignal,
): Promise<Rescoring> {
  const { weight } = request.ranking
  const features = await candidateFeatures(candidates, request, RESCORED, signal)
  const meanLength = features.reduce((sum, { length }) => sum + length, 0) / Math.max(1, features.length)
  const first = candidates.ranked.slice(0, RESCORED)
  const parts = new Map(
    first.map(({ candidate }, at) => [
      candidate,
      partsOf(features[at]!, weight * (candidate.vectorScore ?? 0), meanLength),
    ]),
  )
  const rescored = first
    .map(({ candidate }) => ({ candidate, score: sumOf(parts.get(candidate)!) }))
    .sort((one, other) => other.score - one.score)
  // The hybrid scores of the others, moved so that the first of them is not above the last one that was rescored.
  const offset = (rescored.at(-1)?.score ?? 0) - HYBRID_SHARE * (first.at(-1)?.score ?? 0)
  const others = candidates.ranked
    .slice(RESCORED)
    .map(({ candidate, score }) => ({ candidate, score: HYBRID_SHARE * score + offset }))
  const hybridScores = new Map(candidates.ranked.map(({ candidate, score }) => [candidate, score]))
  return {
    ranked: [...rescored, ...others],
    parts: (candidate) => {
      const vector = weight * (candidate.vectorScore ?? 0)
      const keyword = (hybridScores.get(candidate) ?? 0) - vector
      return (
        parts.get(candidate) ?? { vector: HYBRID_SHARE * vector, keyword: HYBRID_SHARE * keyword, offset }
      )
    },
  }
}

const sumOf = (parts: ScoreParts): number => Object.values(parts).reduce((sum, part) => sum + part, 0)

/** @param vector the part of the cosine in the hybrid score */
function partsOf(features: PassageFeatures, vector: number, meanLength: number): ScoreParts {
  const { hybrid, keyword, sentence, coverage, matched, phrase, proximity, head, sharedHead, length } =
    features
  return {
    vector: HYBRID_SHARE * vector,
    keyword: HYBRID_SHARE * (hybrid - vector) + (WEIGHTS.keyword * keyword) / FULL_SCORE,
    sentence: (WEIGHTS.sentence * sentence) / FULL_SCORE,
    coverage: (WEIGHTS.coverage * coverage + WEIGHTS.matched * matched) / FULL_SCORE,
    phrase: (WEIGHTS.phrase * phrase + WEIGHTS.proximity * proximity) / FULL_SCORE,
    head: (WEIGHTS.head * head + WEIGHTS.sharedHead * sharedHead) / FULL_SCORE,
    length: (WEIGHTS.length * (length - meanLength)) / FULL_SCORE,
  }
}
