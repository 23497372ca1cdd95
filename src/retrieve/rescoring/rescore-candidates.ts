import { setImmediate } from 'node:timers/promises'
import type { Embedder } from '../../contract/embedder.ts'
import type { Ranking } from '../../contract/retrieval.ts'
import type { Candidate, Ranked, RankedCandidates } from '../../contract/search.ts'
import { asMeant } from '../../text/terms/as-meant.ts'
import { type ScoreParts, bestKeywordAmong } from '../../vector/score-parts.ts'
import { PassageReader, type PassageReading } from './passage-reading.ts'
import { QuestionCosines } from './question-cosines.ts'
import { QuestionTerms } from './question-terms.ts'
import { RESCORED, RESCORING_WEIGHTS as WEIGHTS } from './rescoring-weights.ts'
import { SharedWords } from './shared-words.ts'

/**
 * What a passage is scored by.
 *
 * - `hybrid`: its score in the ranking
 * - `keyword`: BM25 by the best BM25 of the query
 * - `sentence`: 0.4 × cosine + 0.6 × covered share of the term weights, of the best sentence; × {@link distinctnessOf} the
 *   candidates
 * - `coverage`, `matched`: of {@link PassageReading}; × the same
 * - `phrase`, `proximity`: of {@link PassageReading}
 * - `length`: the natural logarithm of 1 + the number of terms
 * - `head`: the cosine of the beginning of the source
 * - `sharedHead`: the same × the share of the candidates whose source has an earlier candidate: what several candidates begin
 *   with tells less about each of them
 */
export type PassageFeatures = Record<keyof typeof WEIGHTS, number>

/** A passage that is the question, of a source with one candidate, has a score of about 1. */
const FULL_SCORE = Object.entries(WEIGHTS).reduce(
  (sum, [feature, weight]) => sum + (feature === 'length' || feature === 'sharedHead' ? 0 : weight),
  0,
)

/** The share of the hybrid score in a score. */
const HYBRID_SHARE = WEIGHTS.hybrid / FULL_SCORE

/** A new order, and what each candidate's score is the sum of. */
export type Rescoring = { ranked: Ranked<Candidate>[]; parts: (one: Ranked<Candidate>) => ScoreParts }

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
    .map((one) => ({ ...one, score: sumOf(parts.get(one.candidate)!) }))
    .sort((one, other) => other.score - one.score)
  // The hybrid scores of the others, moved so that the first of them is not above the last one that was rescored.
  const offset = (rescored.at(-1)?.score ?? 0) - HYBRID_SHARE * (first.at(-1)?.score ?? 0)
  const others = candidates.ranked
    .slice(RESCORED)
    .map((one) => ({ ...one, score: HYBRID_SHARE * one.score + offset }))
  const hybridScores = new Map(candidates.ranked.map(({ candidate, score }) => [candidate, score]))
  return {
    ranked: [...rescored, ...others],
    parts: ({ candidate }) => {
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

/** How many characters of a passage are read. */
const MOST_CHARACTERS = 10_000

/** How long passages are read before other work runs, in milliseconds. */
const WORK_MS = 5

export type RescoringRequest = {
  question: string
  /** The vector of the question, of length 1. */
  vector: Float32Array
  /** The ranking that ordered the candidates. */
  ranking: Ranking
  /** The one that made the vectors. */
  embedder: Embedder
}

/** The features of the first `count` candidates, in order. */
export async function candidateFeatures(
  { ranked, found, readings: spellings = [], termWeights = new Map() }: RankedCandidates,
  { question, vector, ranking, embedder }: RescoringRequest,
  count: number,
  signal?: AbortSignal,
): Promise<PassageFeatures[]> {
  const first = ranked.slice(0, count)
  // Without its head, which the hybrid score knows: as a sentence of the text it fits many questions a little.
  const texts = first.map(({ candidate }) => candidate.pageContent.slice(0, MOST_CHARACTERS))
  const meant = asMeant(question, spellings)
  const { readings, sharedWords } = await readPassages(texts, new QuestionTerms(meant, termWeights), signal)
  const heads = first.map(({ candidate }) => candidate.head ?? '')
  const options = { urgent: true, ...(signal ? { signal } : {}) }
  const asked = meant === question ? vector : await embedder.embedQuery(meant, options)
  const cosines = new QuestionCosines(asked, embedder, signal)
  const compared = await sentenceCosines(readings, heads, cosines)
  const bestKeyword = bestKeywordAmong(found, ranking)
  const shared = 1 - new Set(heads).size / Math.max(1, heads.length)
  return first.map(({ candidate, score }, at) => {
    const keyword = bestKeyword > 0 ? (candidate.keywordScore ?? 0) / bestKeyword : 0
    const head = cosines.of(heads[at]!)
    const scores = { hybrid: score, keyword, head, sharedHead: shared * head }
    return passageFeatures(scores, readings[at]!, compared[at]!, sharedWords)
  })
}

async function readPassages(
  texts: readonly string[],
  question: QuestionTerms,
  signal: AbortSignal | undefined,
): Promise<{ readings: PassageReading[]; sharedWords: number }> {
  const reader = new PassageReader(question)
  const words = new SharedWords()
  const readings: PassageReading[] = []
  let pauseAt = performance.now() + WORK_MS
  for (const text of texts) {
    readings.push(reader.read(text))
    words.add(text)
    if (performance.now() < pauseAt) continue
    await setImmediate()
    signal?.throwIfAborted()
    pauseAt = performance.now() + WORK_MS
  }
  return { readings, sharedWords: words.share() }
}

/**
 * For each passage the cosines of the sentences that can be its best one, by their numbers. The heads and the first sentences
 * are embedded in one call, then the sentences that can fit better.
 */
async function sentenceCosines(
  readings: readonly PassageReading[],
  heads: readonly string[],
  cosines: QuestionCosines,
): Promise<Map<number, number>[]> {
  const ordered = readings.map(sentencesToCompare)
  const embed = (numbers: readonly number[][], withHeads: readonly string[]) =>
    cosines.add(
      numbers.flatMap((some, at) => some.map((number) => readings[at]!.sentences[number]!)),
      withHeads,
    )
  const firsts = ordered.map((numbers) => numbers.slice(0, 1))
  await embed(firsts, heads)
  const cosineOf = (at: number, number: number) => cosines.of(readings[at]!.sentences[number]!)
  const others = ordered.map(([best, ...rest], at) =>
    rest.filter((number) =>
      canFitBetter(readings[at]!, number, { number: best!, cosine: cosineOf(at, best!) }),
    ),
  )
  await embed(others, [])
  return readings.map(
    (_, at) => new Map([...firsts[at]!, ...others[at]!].map((number) => [number, cosineOf(at, number)])),
  )
}

const COSINE_SHARE = 0.4

/** How many sentences of a passage are embedded at most: embedding takes most of the time. */
const COMPARED = 2

/** The sentences that cover most of the question, by their numbers; of several that cover as much the first ones. */
export const sentencesToCompare = ({ covered }: PassageReading): number[] =>
  [...covered.keys()].sort((one, other) => covered[other]! - covered[one]!).slice(0, COMPARED)

/** How well a sentence fits the question: by its cosine and the share of the term weights that it covers. */
const fitOf = (cosine: number, covered: number): number =>
  COSINE_SHARE * cosine + (1 - COSINE_SHARE) * covered

/** Whether a sentence can fit the question better than another one with a known cosine: its own is at most 1. */
const canFitBetter = (
  { covered }: PassageReading,
  number: number,
  known: { number: number; cosine: number },
): boolean => fitOf(1, covered[number]!) > fitOf(known.cosine, covered[known.number]!)

/** Where candidates share this part of their words, the words of the question in them tell nothing more. */
const ALIKE = 0.36

/** How much words tell of one of several candidates: 1 where they share none of their words, 0 from {@link ALIKE} on. */
const distinctnessOf = (sharedWords: number): number => Math.max(0, 1 - sharedWords / ALIKE)

/**
 * @param cosines of the question with sentences of the passage, by their numbers
 * @param sharedWords the part of their words that the candidates share: `SharedWords`
 */
export function passageFeatures(
  scores: Pick<PassageFeatures, 'hybrid' | 'keyword' | 'head' | 'sharedHead'>,
  { covered, coverage, matched, phrase, proximity, length }: PassageReading,
  cosines: ReadonlyMap<number, number>,
  sharedWords: number,
): PassageFeatures {
  const distinctness = distinctnessOf(sharedWords)
  const fits = Array.from(cosines, ([number, cosine]) => fitOf(cosine, covered[number]!))
  return {
    ...scores,
    ...{ phrase, proximity },
    coverage: coverage * distinctness,
    matched: matched * distinctness,
    sentence: Math.max(...fits) * distinctness,
    length: Math.log(1 + length),
  }
}
