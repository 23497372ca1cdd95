import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkStores } from '../../src/contract/chunk-store.ts'
import type { SeparateEngine } from '../../src/contract/vector-engine.ts'
import { removedOf } from '../../src/stores/removed-points.ts'
import { publishChunks } from '../support/publish-chunks.ts'

const EMBEDDER = 'e'
const MANY = 600

/** What removed chunks close to a question do to the others. */
export function hiddenNeighbourSuite(
  name: string,
  { make, place }: { make(): SeparateEngine; place(): { stores: ChunkStores; namespace: string } },
): void {
  test(`a store over ${name} finds what is visible in one search, however many removed chunks are closer, and restores these [engines:removed]`, async () => {
    const engine = make()
    const limits: number[] = []
    let collection = ''
    const seen: SeparateEngine = {
      ...engine,
      upsert(own, points) {
        collection ||= own
        return engine.upsert(own, points)
      },
      search(own, request) {
        limits.push(request.limit)
        return engine.search(own, request)
      },
    }
    const { stores, namespace } = place()
    const source = { name: `engine ${namespace}`, key: '', create: () => seen }
    const store = stores.openSeparate(namespace, source)
    const zebra = (at: number) => ({
      ...{ source: `zebras ${at % 3}`, text: `zebra ${at}`, metadata: { at } },
      vector: [1, at / 1e5, 0],
    })
    const others = Array.from({ length: 20 }, (_, at) => ({
      ...{ source: 'others', text: `other ${at}`, metadata: { at } },
      vector: [0.5, 0.5, at / 100],
    }))
    await publishChunks(store, EMBEDDER, [...Array.from({ length: MANY }, (_, at) => zebra(at)), ...others])
    const question = { embedder: EMBEDDER, vector: Float32Array.of(1, 0, 0), limit: 10 }
    const found = async () => {
      limits.length = 0
      const texts = (await store.search(question)).map(({ pageContent }) => pageContent)
      return { zebras: texts.filter((text) => text.startsWith('zebra')).length, all: texts.length }
    }
    assert.deepEqual(await found(), { zebras: 10, all: 10 })

    const sources = ['zebras 0', 'zebras 1', 'zebras 2']
    assert.equal(await store.remove({ sources, restorableUntil: 4e12 }), MANY)
    assert.deepEqual(await found(), { zebras: 0, all: 10 })
    assert.deepEqual(limits, [10])
    const compared = await store.compare!({ repair: false })
    assert.deepEqual([compared!.expected, compared!.held], [MANY + 20, MANY + 20])

    // Restored without an embedder, and found as before.
    assert.equal((await store.restore(['zebras 0'], 1)).chunks, MANY / 3)
    assert.deepEqual(await found(), { zebras: 10, all: 10 })
    assert.deepEqual(limits, [10])

    // A database of before has them in the collection that is searched: the first sweep of a process moves them.
    const { rows } = await store.chunks({ offset: 0, limit: 5000 })
    const ids = rows.filter(({ source: from }) => from === 'zebras 0').map(({ id }) => id)
    await store.remove({ sources: ['zebras 0'], restorableUntil: 4e12 })
    const aside = await engine.vectors(removedOf(collection), ids)
    assert.equal(aside.size, MANY / 3)
    await engine.upsert(
      collection,
      [...aside].map(([id, vector]) => ({ id, vector, text: 'zebra', metadata: {} })),
    )
    await engine.drop(removedOf(collection))
    const later = stores.openSeparate(namespace, { ...source, key: 'another process' })
    await later.sweep(() => true)
    assert.equal((await engine.vectors(collection, ids)).size, 0)
    assert.equal((await engine.vectors(removedOf(collection), ids)).size, MANY / 3)
    assert.deepEqual(await found(), { zebras: 0, all: 10 })
    assert.deepEqual(limits, [10])
    assert.equal((await store.restore(['zebras 0'], 1)).chunks, MANY / 3)
    assert.deepEqual(await found(), { zebras: 10, all: 10 })

    // What can be restored no more is deleted.
    await store.remove({ sources: ['zebras 0'] })
    await store.drop()
    assert.equal((await engine.vectors(removedOf(collection), ids)).size, 0)
  })
}
