import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { Embedder } from '../../contract/embedder.ts'
import type { QuestionJudgement } from '../../contract/question-store.ts'
import { questionKey } from '../../documents/question-key.ts'
import { sha256 } from '../../kit/hash.ts'
import { sentencesOf, wordsOf } from '../../retrieve/sentences.ts'
import { withoutStopWords } from '../../text/terms/stop-words.ts'
import { evenly } from '../timing.ts'
import { nearWords } from './near-words.ts'

/** More proposals than this tell almost nothing more: what they miss is bias, not noise. */
export const MOST_PROPOSALS = 100

/** How many words a proposal has, and how many of them are replaced. */
const WORDS = 5
const REPLACED = 2

/** How many documents are looked at, by name. */
const MOST_SOURCES = 1000

/** A question that was made from a sentence, and the sentence as its right passage. */
export type ProposedQuestion = { text: string; judgement: QuestionJudgement }

type Draft = { source: string; sentence: string; start: number | undefined; words: string[] }

/**
 * Makes questions from the documents of a store, without a language model: five content words around a left out term of a sentence, a
 * third of them replaced by words that the embedder finds near. Measured on nine collections, such questions order variants of a flow
 * much as real ones do, but not well enough to choose by. The same documents give the same proposals.
 */
export async function proposeQuestions(
  { store, embedder }: { store: ChunkStore; embedder: Embedder },
  { limit = MOST_PROPOSALS, signal }: { limit?: number; signal?: AbortSignal } = {},
): Promise<ProposedQuestion[]> {
  const wanted = Math.min(limit, MOST_PROPOSALS)
  const { drafts, vocabulary } = await draftsOf(store, wanted, signal)
  const replaced = drafts.map(({ sentence, words }) => replacedWords(words, sentence))
  const near = await nearWords(embedder, { words: replaced.flat(), vocabulary, signal })
  const proposals = new Map<string, ProposedQuestion>()
  for (const [at, { source, sentence, start, words }] of drafts.entries()) {
    const instead = new Set(replaced[at])
    const text = words.map((word) => (instead.has(word) ? (near.get(word) ?? word) : word)).join(' ')
    const place = start === undefined ? {} : { start, end: start + sentence.length }
    const judgement = { source, passage: { quote: sentence, ...place }, grade: 1 }
    if (!proposals.has(questionKey(text))) proposals.set(questionKey(text), { text, judgement })
  }
  return [...proposals.values()]
}

/** One sentence of each of some chunks, spread over the documents, and the content words of all these chunks. */
async function draftsOf(store: ChunkStore, wanted: number, signal: AbortSignal | undefined) {
  const { rows } = await store.sources({ offset: 0, limit: MOST_SOURCES })
  const sources = evenly(rows, wanted)
  const drafts: Draft[] = []
  const vocabulary = new Map<string, number>()
  // A document that is asked for several sentences gives them from chunks that are far apart.
  const each = sources.length === 0 ? 0 : Math.ceil(wanted / sources.length)
  for (const { source, chunks } of sources)
    for (let nth = 0; nth < Math.min(each, chunks) && drafts.length < wanted; nth++) {
      signal?.throwIfAborted()
      const offset = Math.floor(((nth + 0.5) * chunks) / Math.min(each, chunks))
      const [chunk] = (await store.chunks({ source, offset, limit: 1 })).rows
      if (!chunk) continue
      for (const word of contentWords(chunk.pageContent))
        vocabulary.set(word.toLowerCase(), (vocabulary.get(word.toLowerCase()) ?? 0) + 1)
      const draft = draftOf(chunk.pageContent)
      if (!draft) continue
      const { range } = chunk
      const isWhole = range !== undefined && range.end - range.start === chunk.pageContent.length
      drafts.push({ ...draft, source, start: isWhole ? range.start + draft.from : undefined })
    }
  return { drafts, vocabulary }
}

/** A sentence of a text, and the words around one that is left out; undefined where none has enough words. */
function draftOf(text: string): { sentence: string; from: number; words: string[] } | undefined {
  const fitting = sentencesOf(text).flatMap(({ from, to }) => {
    const sentence = text.slice(from, to)
    const words = [...new Set(contentWords(sentence))]
    return words.length > WORDS ? [{ sentence, from, words }] : []
  })
  if (fitting.length === 0) return undefined
  const number = numberOf(text)
  const { sentence, from, words } = fitting[number % fitting.length]!
  const first = number % (words.length - WORDS)
  const window = words.slice(first, first + WORDS + 1)
  return { sentence, from, words: window.filter((_, at) => at !== Math.floor(WORDS / 2)) }
}

/** Words with a meaning, in order, as they are written. */
function contentWords(text: string): string[] {
  return wordsOf(text).flatMap(({ from, to }) => {
    const word = text.slice(from, to)
    return /\p{L}/u.test(word) && word.length > 2 && withoutStopWords(word).trim() !== '' ? [word] : []
  })
}

/** The words of a proposal that are replaced: by chance, the same for the same sentence. */
function replacedWords(words: readonly string[], sentence: string): string[] {
  const order = words.map((word) => ({ word, by: sha256(`${sentence}\n${word}`) }))
  return order
    .toSorted((one, other) => (one.by < other.by ? -1 : 1))
    .slice(0, REPLACED)
    .map(({ word }) => word)
}

const numberOf = (text: string): number => Number.parseInt(sha256(text).slice(0, 8), 16)
