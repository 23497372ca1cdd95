import type { StorePart } from '../../src/contract/card.ts'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import type { Reranker } from '../../src/contract/reranker.ts'
import { builtInEmbedder } from '../../src/embed/builtin.ts'
import { createRetriever } from '../../src/retrieve/run.ts'
import type { RetrievalOverrides } from '../../src/retrieve/settings.ts'
import { publishChunks } from './publish-chunks.ts'
import { randomBelow } from './random.ts'
import { sharedStores } from './store.ts'

/** A store of 320 short texts for tests of what became of an expected chunk. */
export const { stores } = sharedStores()
const store = stores.open('expected')
export const expectedEmbedder = builtInEmbedder()
export const { retrieve } = createRetriever()

const WORDS =
  'ferry harbour noon leaves Bergen Oslo train ticket captain storm lighthouse island rope cargo winter boat evening pier'.split(
    ' ',
  )
export const QUESTION = 'When does the ferry to Bergen leave the harbour?'

const below = randomBelow(28)
export const TEXTS = Array.from({ length: 320 }, (_, at) => {
  const words = Array.from({ length: 6 + (at % 9) }, () => WORDS[below(WORDS.length)])
  return `${at % 16 === 0 ? 'The ferry to Bergen leaves at noon. ' : ''}${words.join(' ')} ${at}.`
})

/** How often the reranker was asked. */
export const reranked = { calls: 0 }

/** Prefers short texts. */
const reranker: Reranker = {
  id: 'test/short-first',
  async rerank(_, texts, { limit }) {
    reranked.calls++
    return texts
      .map((text, index) => ({ index, score: 1 / text.length }))
      .sort((one, other) => other.score - one.score)
      .slice(0, limit)
  },
}

export const partOf = (own: ChunkStore = store): StorePart => ({
  ...{ store: own, embedder: expectedEmbedder, loaders: [] },
  retrieval: { topK: 4, searchType: 'similarity' as const, reranker },
})

export const load = async (own: ChunkStore, texts: readonly string[], first = 0) => {
  const vectors = await expectedEmbedder.embed(texts)
  await publishChunks(
    own,
    expectedEmbedder.id,
    texts.map((text, at) => ({
      ...{ source: `${first + at}.txt`, text, vector: vectors[at]! },
      metadata: { source: `${first + at}.txt`, n: first + at },
    })),
  )
}

/** Loads all texts. */
export const loadTexts = (): Promise<void> => load(store, TEXTS)

/** The ids of the chunks in the order of a search. */
export const ordered = async (asked: RetrievalOverrides): Promise<string[]> => {
  const [hits] = await retrieve(partOf(), [QUESTION], { topK: 1000, rerank: false, ...asked })
  return hits!.map(({ id }) => id)
}
export const byMeaning = () => ordered({ mode: 'vector' })
