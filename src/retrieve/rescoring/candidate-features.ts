import { setImmediate } from 'node:timers/promises'
import type { Embedder } from '../../contract/embedder.ts'
import type { Ranking } from '../../contract/retrieval.ts'
import type { RankedCandidates } from '../../contract/search.ts'
import { bestKeywordAmong } from '../../vector/score-parts.ts'
import { type PassageFeatures, passageFeatures, sentencesToCompare } from './passage-features.ts'
import { PassageReader, type PassageReading } from './passage-reading.ts'
import { QuestionTerms } from './question-terms.ts'

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

/** The features of the first `count` candidates, in order. All their texts are embedded in one call. */
export async function candidateFeatures(
  { ranked, found, termWeights = new Map() }: RankedCandidates,
  { question, vector, ranking, embedder }: RescoringRequest,
  count: number,
  signal?: AbortSignal,
): Promise<PassageFeatures[]> {
  const first = ranked.slice(0, count)
  const texts = new TextList()
  const read: { reading: PassageReading; head: number; sentences: Map<number, number> }[] = []
  const reader = new PassageReader(new QuestionTerms(question, termWeights))
  let pauseAt = performance.now() + WORK_MS
  for (const { candidate } of first) {
    const reading = reader.read(candidate.pageContent.slice(0, MOST_CHARACTERS))
    const sentences = sentencesToCompare(reading).map(
      (number) => [number, texts.place(reading.sentences[number]!)] as const,
    )
    read.push({ reading, head: texts.place(candidate.head ?? ''), sentences: new Map(sentences) })
    if (performance.now() < pauseAt) continue
    await setImmediate()
    signal?.throwIfAborted()
    pauseAt = performance.now() + WORK_MS
  }
  const vectors = await embedder.embed(texts.list, { urgent: true, ...(signal ? { signal } : {}) })
  const cosines = vectors.map((one) => dot(one, vector))
  const bestKeyword = bestKeywordAmong(found, ranking)
  return first.map(({ candidate, score }, at) => {
    const { reading, head, sentences } = read[at]!
    const keyword = bestKeyword > 0 ? (candidate.keywordScore ?? 0) / bestKeyword : 0
    const ofSentences = new Map(Array.from(sentences, ([number, place]) => [number, cosines[place]!]))
    return passageFeatures({ hybrid: score, keyword, head: cosines[head]! }, reading, ofSentences)
  })
}

/** Texts to embed, each once. */
class TextList {
  readonly list: string[] = []
  readonly #places = new Map<string, number>()

  place(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    this.#places.set(text, this.list.length)
    return this.list.push(text) - 1
  }
}

/** The cosine of two vectors of length 1; 0 where one has zeros only. */
function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!
  return sum
}
