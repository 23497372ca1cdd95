import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkStores } from '../../src/contract/chunk-store.ts'
import type { NewChunk } from '../../src/contract/ledger.ts'
import type { SeparateEngine } from '../../src/contract/vector-engine.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { removedOf } from '../../src/stores/removed-points.ts'
import { collect } from '../support/collect.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import { randomBelow } from '../support/random.ts'

const EMBEDDER = 'e'
const MANY = 600

const DIMENSIONS = 8
const QUESTION = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0)

/** An engine whose searches are counted, by how many candidates they ask for. */
function watched(engine: SeparateEngine) {
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
  return { engine, seen, limits, collectionOf: () => collection }
}

/** What chunks that readers do not see do to the others, where they are closer to a question. */
export function hiddenNeighbourSuite(
  name: string,
  {
    make,
    place,
    staged = 3000,
  }: {
    make(): SeparateEngine
    place(): { stores: ChunkStores; namespace: string }
    /** How many chunks are staged. */
    staged?: number
  },
): void {
  test(`a store over ${name} finds what is visible in one search, however many removed chunks are closer, and restores these [engines:removed]`, async () => {
    const { engine, seen, limits, collectionOf } = watched(make())
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
    const collection = collectionOf()
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
  test(`a store over ${name} finds the same in one search, however many staged, abandoned or replaced chunks are closer [engines:staged]`, async () => {
    const { engine, seen, limits, collectionOf } = watched(make())
    const { stores, namespace } = place()
    const store = stores.openSeparate(namespace, { name: `engine ${namespace}`, key: '', create: () => seen })
    const around = vectorsAround()
    const others = Array.from({ length: 40 }, (_, at) => ({
      ...{ source: 'others', text: `other ${at}`, metadata: { at } },
      vector: around([0.5, 0.5]),
    }))
    await publishChunks(store, EMBEDDER, others)
    const found = async () => {
      limits.length = 0
      const hits = await store.search({ embedder: EMBEDDER, vector: QUESTION, limit: 10 })
      return hits.map(({ pageContent }) => pageContent).sort()
    }
    const expected = await found()
    assert.equal(expected.length, 10)
    const same = async () => {
      assert.deepEqual(await found(), expected)
      assert.deepEqual(limits, [10])
    }

    // Points of before do not say which run has written them.
    const { rows } = await store.chunks({ offset: 0, limit: 20 })
    const old = await engine.vectors(
      collectionOf(),
      rows.map(({ id }) => id),
    )
    assert.equal(old.size, 20)
    await engine.upsert(
      collectionOf(),
      rows.map(({ id, pageContent, metadata }) => ({
        id,
        text: pageContent,
        metadata,
        vector: old.get(id)!,
      })),
    )

    const zebras = Array.from({ length: staged }, (_, at) => newChunk('zebras', `zebra ${at}`, { at }))
    const near = Float32Array.from(zebras.flatMap(() => around([1, 0])))
    const stage = async () => {
      const run = await store.open(EMBEDDER)
      await run.stage(zebras, near, DIMENSIONS)
      // The same chunk once more: its point is that of a visible one.
      const again = others.map(({ source, text, metadata }) => newChunk(source, text, metadata))
      await run.stage(again, Float32Array.from(others.flatMap(({ vector }) => vector)), DIMENSIONS)
      return run
    }
    const killed = await stage()
    await same()
    await killed.abandon()
    await same()
    const compared = await store.compare!({ repair: false })
    assert.deepEqual([compared!.missing.count, compared!.surplus.count, compared!.differing.count], [0, 0, 0])

    const publication = { files: [], updatedSources: [], invalidatedFiles: [], removedChunkIds: [] }
    const run = await stage()
    await same()
    await run.publish({ ...publication, stagedCount: staged + others.length })
    assert.ok((await found()).every((text) => text.startsWith('zebra')))
    assert.deepEqual(limits, [10])
    await run.sweep()
    assert.ok((await found()).every((text) => text.startsWith('zebra')))

    const next = await store.open(EMBEDDER)
    const removedChunkIds = (await collect(next.visible('zebras'))).flat()
    assert.equal(removedChunkIds.length, staged)
    await next.publish({ ...publication, stagedCount: 0, removedChunkIds })
    // Every other has two chunks now, which are one hit.
    await same()
    await next.sweep()
    await same()
    await store.drop()
  })
}

/** Vectors close to some, the same ones each time, and none like another: a graph of equal ones falls apart. */
function vectorsAround(): (centre: readonly number[]) => number[] {
  const random = randomBelow(7)
  return (centre) =>
    Array.from({ length: DIMENSIONS }, (_, at) => (centre[at] ?? 0) + (random(1000) - 500) / 5000)
}

function newChunk(source: string, text: string, about: Record<string, unknown>): NewChunk {
  const metadata = JSON.stringify(about)
  return { source, text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata) }
}
