import { setImmediate } from 'node:timers/promises'
import type { Embedder } from '../contract/embedder.ts'
import { questionTerms, termsOf } from '../text/terms/question.ts'
import { cosine } from '../vector/cosine.ts'
import { type Span, sentencesOf, wordsOf } from './sentences.ts'

/** The sentence of a chunk that fits the question best, and the words in it that are words of the question. */
export type Highlight = Span & { words: Span[] }

/** How many characters of a chunk are searched. */
const MOST_CHARACTERS = 100_000

/** How long sentences are searched before other work runs, in milliseconds. */
const WORK_MS = 5

/** A sentence: its range, the index of its text, and its terms. */
type Sentence = { owner: number; span: Span; content: string; terms: Set<number> }

/** Scripts without spaces between words: their terms are characters and pairs of characters. */
const WITHOUT_SPACES =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[\u{20000}-\u{3fffd}]/u

/** For similarity by vector: an embedder in this process, since many sentences are embedded. */
export type QueryMeaning = { embedder: Embedder; vector: Float32Array; weight: number }

/**
 * Finds the best sentence in each text by the terms of the question, rare ones counting more, and by vector where that is
 * given. Null for a text in which nothing fits. Offsets are UTF-16 code units of the text.
 */
export async function highlightsOf(
  texts: readonly string[],
  question: string,
  meaning?: QueryMeaning,
  signal?: AbortSignal,
): Promise<(Highlight | null)[]> {
  const asked = questionTerms(question)
  const sentences: Sentence[] = []
  let pauseAt = performance.now() + WORK_MS
  for (const [owner, text] of texts.entries()) {
    for (const span of sentencesOf(text.slice(0, MOST_CHARACTERS))) {
      const content = text.slice(span.from, span.to)
      sentences.push({ owner, span, content, terms: termsOf(content) })
    }
    if (performance.now() < pauseAt) continue
    await setImmediate()
    signal?.throwIfAborted()
    pauseAt = performance.now() + WORK_MS
  }
  const weights = weigh(
    asked,
    sentences.map(({ terms }) => terms),
  )
  const close = await cosines(
    sentences.map(({ content }) => content),
    meaning,
    signal,
  )
  const share = meaning?.weight ?? 0
  const best = texts.map(() => ({ score: 0, at: -1 }))
  for (const [at, { owner, terms }] of sentences.entries()) {
    let score = share * (close[at] ?? 0)
    for (const [term, weight] of weights) if (terms.has(term)) score += (1 - share) * weight
    if (score > best[owner]!.score) best[owner] = { score, at }
  }
  return best.map(({ at }) => {
    const found = sentences[at]
    return found ? { ...found.span, words: markedWords(found.content, found.span.from, asked) } : null
  })
}

/** The weight of each term of the question; the sum is 1. Terms that few sentences have weigh most. */
function weigh(
  asked: ReadonlyMap<number, number>,
  sentences: readonly ReadonlySet<number>[],
): [term: number, weight: number][] {
  const rarities = Array.from(asked, ([term, weight]): [number, number] => {
    const holders = sentences.reduce((sum, terms) => sum + Number(terms.has(term)), 0)
    return [term, weight * Math.log(1 + (sentences.length - holders + 0.5) / (holders + 0.5))]
  })
  const total = rarities.reduce((sum, [, rarity]) => sum + rarity, 0) || 1
  return rarities.map(([term, rarity]) => [term, rarity / total])
}

async function cosines(
  sentences: readonly string[],
  meaning: QueryMeaning | undefined,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  if (!meaning || sentences.length === 0) return []
  const vectors = await meaning.embedder.embed(sentences, { urgent: true, ...(signal ? { signal } : {}) })
  return vectors.map((vector) => cosine(meaning.vector, vector) ?? 0)
}

/** The words of the question in a sentence, with any ending; in scripts without spaces only whole words. */
function markedWords(sentence: string, at: number, asked: ReadonlyMap<number, number>): Span[] {
  return wordsOf(sentence).flatMap(({ from, to }) => {
    const word = sentence.slice(from, to)
    const terms = [...termsOf(word)]
    const held = terms.filter((term) => asked.has(term)).length
    const whole = WITHOUT_SPACES.test(word)
    const marked = whole ? word.length > 1 && held === terms.length : held > 0
    return marked && held > 0 ? [{ from: at + from, to: at + to }] : []
  })
}
