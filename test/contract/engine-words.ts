import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkStore, ChunkStores } from '../../src/contract/chunk-store.ts'
import type { EngineSource } from '../../src/contract/engine-source.ts'
import type { Embedder } from '../../src/contract/embedder.ts'
import { runReindex } from '../../src/upsert/reindex.ts'
import { collect } from '../support/collect.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import { scanEngine } from '../support/scan-engine.ts'

export const WORDS_EMBEDDER = 'hash'
const DIMENSIONS = 8

/** A word that one chunk of one source has. */
export const wordOf = (source: string, n: number) =>
  `${source}q${[...String(n).padStart(2, '0')].map((digit) => 'bcdfghklmn'[Number(digit)]).join('')}`

/** Chunks of a source whose texts have a word in common, and one each of their own. */
export const wordChunks = (source: string, count: number) =>
  Array.from({ length: count }, (_, n) => {
    const text = `harbour ${wordOf(source, n)}`
    return { source, text, metadata: {}, vector: hashVector(text, DIMENSIONS) }
  })

/** A separate engine that searches words or leaves them to the ledger. */
export function wordsSource(name: string, keywords: boolean): EngineSource {
  const { close: _, ...engine } = scanEngine(':memory:', { keywords })
  return { name, key: '', create: () => engine }
}

/** What a search for words finds, by its text, in the order of the texts. */
export const foundByWords = async (store: ChunkStore, text: string) =>
  (await store.search({ text, limit: 50 })).map(({ pageContent }) => pageContent).sort()

const textsOf = (source: string, count: number) =>
  wordChunks(source, count)
    .map(({ text }) => text)
    .sort()

async function reindex(store: ChunkStore): Promise<void> {
  const rebuild = (await store.rebuild(WORDS_EMBEDDER))!
  const embedder: Embedder = {
    ...{ id: WORDS_EMBEDDER, dimensions: DIMENSIONS, concurrency: 1, limits: { texts: 100, bytes: 1e6 } },
    embed: async (texts) => texts.map((text) => hashVector(text, DIMENSIONS)),
    embedQuery: async (text) => hashVector(text, DIMENSIONS),
  }
  await runReindex({ part: { store, embedder }, warnings: [] }, rebuild, new AbortController().signal)
  await rebuild.sweep()
}

export type WordsPlace = {
  stores: ChunkStores
  newNamespace(): string
  /** How many texts of all namespaces the database of this server can find by their words. */
  held(): number
}

/** What stores promise of engines that search words themselves: the words are stored once. */
export function engineWordsSuite(name: string, make: () => WordsPlace): void {
  const promises = (promise: string, check: (place: WordsPlace & { namespace: string }) => Promise<void>) =>
    void test(`${name} ${promise}`, () => {
      const place = make()
      return check({ ...place, namespace: place.newNamespace() })
    })

  promises('stores no words of texts that the engine searches by word', async (place) => {
    const { stores, namespace, held } = place
    const before = held()
    const store = stores.openSeparate(namespace, wordsSource('words a', true))
    await publishChunks(store, WORDS_EMBEDDER, wordChunks('a', 30))
    assert.deepEqual(await foundByWords(store, 'harbour'), textsOf('a', 30))
    assert.deepEqual(await foundByWords(store, wordOf('a', 7)), [`harbour ${wordOf('a', 7)}`])
    // Listing and the look-up of known texts need no words.
    const { rows, total } = await store.chunks({
      offset: 0,
      limit: 5,
      search: `BOUR ${wordOf('a', 7).toUpperCase()}`,
    })
    assert.deepEqual([total, rows[0]!.pageContent], [1, `harbour ${wordOf('a', 7)}`])
    await publishChunks(store, WORDS_EMBEDDER, wordChunks('b', 5))
    assert.equal(await store.remove({ source: 'a' }), 30)
    assert.deepEqual(await foundByWords(store, 'harbour'), textsOf('b', 5))
    await store.sweep(() => true)
    assert.equal(held(), before)
    await store.drop()
  })

  promises('stores them for an engine that leaves words to this server', async (place) => {
    const { stores, namespace, held } = place
    const before = held()
    const store = stores.openSeparate(namespace, wordsSource('words b', false))
    await publishChunks(store, WORDS_EMBEDDER, wordChunks('a', 30))
    assert.deepEqual(await foundByWords(store, wordOf('a', 7)), [`harbour ${wordOf('a', 7)}`])
    assert.equal(held(), before + 30)
    await store.drop()
  })

  promises(
    'makes the words when the flow changes to the built-in engine, and deletes them when it changes back',
    async (place) => {
      const { stores, namespace, held } = place
      const before = held()
      const source = wordsSource('words c', true)
      const apart = stores.openSeparate(namespace, source)
      await publishChunks(apart, WORDS_EMBEDDER, wordChunks('a', 30))
      const own = stores.open(namespace)
      await assert.rejects(foundByWords(own, 'harbour'), { code: 'engine_changed' })
      await reindex(own)
      assert.deepEqual(await foundByWords(own, 'harbour'), textsOf('a', 30))
      assert.deepEqual(await foundByWords(own, wordOf('a', 7)), [`harbour ${wordOf('a', 7)}`])
      assert.equal(held(), before + 30)
      await publishChunks(own, WORDS_EMBEDDER, wordChunks('b', 5))
      assert.deepEqual(await foundByWords(own, wordOf('b', 3)), [`harbour ${wordOf('b', 3)}`])
      await reindex(apart)
      await stores.sweepRemoved()
      assert.deepEqual(await foundByWords(apart, 'harbour'), [...textsOf('a', 30), ...textsOf('b', 5)])
      assert.equal(held(), before)
      assert.equal((await collect((await apart.view(WORDS_EMBEDDER)).visible('a'))).flat().length, 30)
      await apart.drop()
    },
  )
}
