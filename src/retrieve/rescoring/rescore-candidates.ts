import { setImmediate } from 'node:timers/promises'
import type { Embedder } from '../../contract/embedder.ts'
import type { Candidate, Ranked, RankedCandidates } from '../../contract/search.ts'
import type { Ranking } from '../../contract/retrieval.ts'
import { bestKeywordAmong, type ScoreParts } from '../../vector/score-parts.ts'
import { type PassageFeatures, passageFeatures } from './passage-features.ts'
import { type PassageReading, PassageReader } from './passage-reading.ts'
import { QuestionTerms } from './question-terms.ts'
import { RESCORED, RESCORING_WEIGHTS as WEIGHTS } from './rescoring-weights.ts'

/** How many characters of a passage are read. */
const MOST_CHARACTERS = 10_000

/** How long passages are read before other work runs, in milliseconds. */
const WORK_MS = 5

/** A passage that has the question alone has a score of about 1. */
const FULL_SCORE = Object.entries(WEIGHTS).reduce(
  (sum, [feature, weight]) => sum + (feature === 'length' ? 0 : weight),
  0,
)

export type RescoringRequest = {
  question: string
  /** The vector of the question, of length 1. */
  vector: Float32Array
  /** The ranking that ordered the candidates. */
  ranking: Ranking
  /** The one that made the vectors. */
  embedder: Embedder
}

/** A new order, and what each candidate's score is the sum of. */
export type Rescoring = { ranked: Ranked<Candidate>[]; parts: (candidate: Candidate) => ScoreParts }

/**
 * Orders the first {@link RESCORED} candidates of a hybrid ranking by a weighted sum of {@link PassageFeatures}. The others
 * stay behind them, in their order. Equal scores keep the order of the ranking.
 */
export async function rescoreCandidates(
  { ranked, found, termWeights = new Map() }: RankedCandidates,
  request: RescoringRequest,
  signal?: AbortSignal,
): Promise<Rescoring> {
  const { weight } = request.ranking
  const bestKeyword = bestKeywordAmong(found, request.ranking)
  const first = ranked.slice(0, RESCORED)
  const features = await featuresOf(first, { ...request, bestKeyword, termWeights }, signal)
  const meanLength = features.reduce((sum, { length }) => sum + length, 0) / Math.max(1, features.length)
  const partsOf = new Map(
    first.map(({ candidate }, at) => [candidate, scoreParts(features[at]!, weight, meanLength)]),
  )
  const rescored = first
    .map(({ candidate }) => ({ candidate, score: sumOf(partsOf.get(candidate)!) }))
    .sort((one, other) => other.score - one.score)
  // The others: their hybrid score, moved so that it is not above the scores before it.
  const hybridShare = WEIGHTS.hybrid / FULL_SCORE
  const offset = (rescored.at(-1)?.score ?? 0) - hybridShare * (first.at(-1)?.score ?? 0)
  const others = ranked
    .slice(RESCORED)
    .map(({ candidate, score }) => ({ candidate, score: hybridShare * score + offset }))
  return {
    ranked: [...rescored, ...others],
    parts: (candidate) =>
      partsOf.get(candidate) ?? {
        vector: hybridShare * weight * (candidate.vectorScore ?? 0),
        keyword: hybridShare * (1 - weight) * shareOf(candidate, bestKeyword),
        offset,
      },
  }
}

const shareOf = ({ keywordScore }: Candidate, best: number): number =>
  best > 0 ? (keywordScore ?? 0) / best : 0

const sumOf = (parts: ScoreParts): number => Object.values(parts).reduce((sum, part) => sum + part, 0)

async function featuresOf(
  ranked: readonly Ranked<Candidate>[],
  {
    question,
    vector,
    bestKeyword,
    termWeights,
    embedder,
  }: RescoringRequest & {
    bestKeyword: number
    termWeights: ReadonlyMap<number, number>
  },
  signal: AbortSignal | undefined,
): Promise<PassageFeatures[]> {
  const reader = new PassageReader(new QuestionTerms(question, termWeights))
  const readings: PassageReading[] = []
  let pauseAt = performance.now() + WORK_MS
  for (const { candidate } of ranked) {
    readings.push(reader.read(candidate.pageContent.slice(0, MOST_CHARACTERS)))
    if (performance.now() < pauseAt) continue
    await setImmediate()
    signal?.throwIfAborted()
    pauseAt = performance.now() + WORK_MS
  }
  const heads = [...new Set(ranked.map(({ candidate }) => candidate.outline?.head ?? ''))]
  const texts = [...heads, ...readings.flatMap(({ sentences }) => sentences)]
  const vectors = await embedder.embed(texts, { urgent: true, ...(signal ? { signal } : {}) })
  const cosines = vectors.map((one) => dot(one, vector))
  let from = heads.length
  return ranked.map(({ candidate, score }, at) => {
    const reading = readings[at]!
    const ofSentences = cosines.slice(from, from + reading.sentences.length)
    from += reading.sentences.length
    const { outline } = candidate
    const cosine = candidate.vectorScore ?? 0
    const scores = {
      cosine,
      keyword: shareOf(candidate, bestKeyword),
      hybrid: score,
      head: outline ? cosines[heads.indexOf(outline.head)]! : cosine,
      source: outline ? dot(outline.direction, vector) : cosine,
    }
    return passageFeatures(scores, reading, ofSentences)
  })
}

function scoreParts(features: PassageFeatures, weight: number, meanLength: number): ScoreParts {
  const { cosine, keyword, bestSentence, secondSentence, coverage, phrase, proximity, head, source } =
    features
  return {
    vector: ((WEIGHTS.cosine + WEIGHTS.hybrid * weight) * cosine) / FULL_SCORE,
    keyword: ((WEIGHTS.keyword + WEIGHTS.hybrid * (1 - weight)) * keyword) / FULL_SCORE,
    sentences: (WEIGHTS.bestSentence * bestSentence + WEIGHTS.secondSentence * secondSentence) / FULL_SCORE,
    coverage: (WEIGHTS.coverage * coverage) / FULL_SCORE,
    phrase: (WEIGHTS.phrase * phrase + WEIGHTS.proximity * proximity) / FULL_SCORE,
    source: (WEIGHTS.head * head + WEIGHTS.source * source) / FULL_SCORE,
    length: (WEIGHTS.length * (features.length - meanLength)) / FULL_SCORE,
  }
}

/** The cosine of two vectors of length 1, or 0 where one has zeros only. */
function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!
  return sum
}
