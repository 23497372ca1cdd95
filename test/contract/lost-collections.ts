import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { ChunkStores } from '../../src/contract/chunk-store.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import type { SeparateEngine } from '../../src/contract/vector-engine.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import { until } from '../support/until.ts'

const EMBEDDER = 'e'

/** A store whose collection can be lost, and what it says then. */
export function lossyStore(make: () => SeparateEngine, { stores, namespace }: Place) {
  const engine = make()
  let collection = ''
  const seen: SeparateEngine = {
    ...engine,
    upsert(own, points) {
      collection = own
      return engine.upsert(own, points)
    },
  }
  const store = stores.openSeparate(namespace, {
    ...{ name: `engine ${randomUUID()}`, key: '', create: () => seen },
  })
  const question = { embedder: EMBEDDER, vector: hashVector('a text'), limit: 5 }
  const texts = async () => (await store.search(question)).map(({ pageContent }) => pageContent).sort()
  const put = (text: string) =>
    publishChunks(store, EMBEDDER, [
      { source: text, text, metadata: { source: text }, vector: hashVector(text) },
    ])
  return {
    engine,
    store,
    collection: () => collection,
    texts,
    put,

    /** Every question and every write names the reason. @param writesOnly questions are answered */
    async tells(reason: RegExp, { writesOnly = false } = {}): Promise<void> {
      const failure = (error: unknown) => {
        assert.ok(error instanceof SluiceError, String(error))
        assert.deepEqual([error.code, error.status], ['collection_unusable', 503])
        assert.match(error.message, reason)
        return true
      }
      if (!writesOnly) {
        await assert.rejects(store.search(question), failure)
        await assert.rejects(store.compare!({ repair: false }), failure)
      }
      await assert.rejects(put('a later text'), failure)
      await assert.rejects(store.view(EMBEDDER), failure)
    },
  }
}

type Place = { stores: ChunkStores; namespace: string }

/** What a store says of a collection that somebody has deleted. */
export function lostCollectionSuite(
  name: string,
  { make, place }: { make(): SeparateEngine; place(): Place },
): void {
  test(`a store over ${name} names a collection that is gone at queries, upserts, dry runs, /readyz and verify, and makes none [engines:lost]`, async () => {
    const here = place()
    const { engine, store, collection, put, texts, tells } = lossyStore(make, here)
    await put('a text')
    await put('another text')
    assert.deepEqual(await texts(), ['a text', 'another text'])
    await engine.drop(collection())

    await tells(/is (missing|empty)/)
    const use = { dimensions: undefined, writes: false }
    assert.match((await engine.fault(collection(), use))!, /is (missing|empty)/)
    const [dependency] = here.stores.dependencies
    await until(async () => (await dependency!.check()) instanceof SluiceError, 'the look at the engines')
    assert.ok(dependency!.isSoft && dependency!.isUsed!())

    // Chunks can be removed, and then it begins anew.
    assert.equal(await store.remove({ sources: ['a text', 'another text'] }), 2)
    assert.deepEqual(await texts(), [])
    await put('a new text')
    assert.deepEqual(await texts(), ['a new text'])
    await engine.drop(collection())
  })
}
