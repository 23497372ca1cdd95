import { setImmediate } from 'node:timers/promises'
import type { Embedder } from '../../contract/embedder.ts'
import type { Ranking } from '../../contract/retrieval.ts'
import type { RankedCandidates } from '../../contract/search.ts'
import { bestKeywordAmong } from '../../vector/score-parts.ts'
import { asMeant } from '../../text/terms/as-meant.ts'
import {
  canFitBetter,
  type PassageFeatures,
  passageFeatures,
  sentencesToCompare,
} from './passage-features.ts'
import { PassageReader, type PassageReading } from './passage-reading.ts'
import { QuestionCosines } from './question-cosines.ts'
import { QuestionTerms } from './question-terms.ts'
import { SharedWords } from './shared-words.ts'

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
