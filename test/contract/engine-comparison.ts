import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import type { EngineSource } from '../../src/contract/engine-source.ts'
import type { SeparateEngine } from '../../src/contract/vector-engine.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { removedOf } from '../../src/stores/removed-points.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { publishChunks } from '../support/publish-chunks.ts'

const EMBEDDER = 'e'
const chunk = (source: string, text: string, metadata: Record<string, unknown> = {}) => ({
  source,
  text,
  metadata: { ...metadata, source },
  vector: hashVector(text),
})

/** The comparison of a separate engine with its ledger, and its repair. @param open a store of a new namespace over an engine */
export function engineComparisonSuite(
  name: string,
  { make, open }: { make(): SeparateEngine; open(source: EngineSource): ChunkStore },
): void {
  /** A store, its engine, and the name that its collection has there. */
  function place() {
    const engine = make()
    let collection = ''
    const seen: SeparateEngine = {
      ...engine,
      upsert(own, points) {
        if (!own.endsWith(removedOf(''))) collection = own
        return engine.upsert(own, points)
      },
    }
    const store = open({ name: `engine ${randomUUID()}`, key: '', create: () => seen })
    return { engine, store, collection: () => collection }
  }

  test(`compare() of a store over ${name} names what is missing, too much and different, and repairs what the engine has vectors for [verify:engines]`, async () => {
    const { engine, store, collection } = place()
    assert.equal(await store.compare!({ repair: false }), undefined)
    await publishChunks(store, EMBEDDER, [
      chunk('a', 'a shared text', { n: 1 }),
      chunk('a', 'a text of its own', { list: [1, 'two'] }),
      chunk('a', 'another text', { deep: { x: 0.5 } }),
    ])
    await publishChunks(store, EMBEDDER, [chunk('b', 'a shared text')])
    const { rows } = await store.chunks({ offset: 0, limit: 100 })
    const idOf = (text: string, source = 'a') =>
      rows.find((row) => row.pageContent === text && row.source === source)!.id
    const nothing = { count: 0, first: [] }
    const sound = { missing: nothing, surplus: nothing, differing: nothing, damaged: nothing }
    assert.deepEqual(await store.compare!({ repair: false }), {
      expected: 4,
      held: 4,
      unchecked: 0,
      ...sound,
    })
    assert.deepEqual(await store.compare!({ repair: true }), {
      ...{ expected: 4, held: 4, unchecked: 0, ...sound },
      repair: { written: 0, removed: 0, embedded: 0, left: sound },
    })

    const [shared, lost, altered] = [
      idOf('a shared text', 'b'),
      idOf('a text of its own'),
      idOf('another text'),
    ]
    const stranger = randomUUID()
    await engine.delete(collection(), [shared, lost])
    const vector = hashVector('another text')
    await engine.upsert(collection(), [
      { id: stranger, text: 'a stranger', metadata: {}, vector: hashVector('a stranger') },
      { id: altered, text: 'an altered text', metadata: { deep: { x: 0.5 }, source: 'a' }, vector },
    ])
    const missing = { count: 2, first: [shared, lost].sort() }
    const damaged = {
      ...{ expected: 4, held: 3, unchecked: 0, missing, damaged: nothing },
      surplus: { count: 1, first: [stranger] },
      differing: { count: 1, first: [altered] },
    }
    assert.deepEqual(await store.compare!({ repair: false }), damaged)
    // Comparing alone changes nothing.
    const left = { ...sound, missing: { count: 1, first: [lost] } }
    assert.deepEqual(await store.compare!({ repair: true }), {
      ...damaged,
      repair: { written: 2, removed: 1, embedded: 0, left },
    })
    assert.deepEqual(await store.compare!({ repair: false }), { expected: 4, held: 3, unchecked: 0, ...left })
    const vectors = await engine.vectors(collection(), [shared, idOf('a shared text'), stranger])
    assert.deepEqual(vectors.get(shared), vectors.get(idOf('a shared text')))
    assert.equal(vectors.has(stranger), false)
    const found = await store.search({ vector: hashVector('a shared text'), limit: 2 })
    assert.deepEqual(found.map(({ id }) => id).sort(), [shared, idOf('a shared text')].sort())

    // What has no vector is written by a reindex.
    const rebuild = (await store.rebuild(EMBEDDER))!
    let staged = 0
    for await (const chunks of rebuild.chunks())
      for (const one of chunks) {
        const text = await rebuild.text(one)
        const { length } = hashVector('')
        await rebuild.stage(
          [{ ...one, ...(text === undefined ? {} : { text }) }],
          text === undefined ? new Float32Array() : hashVector(text),
          length,
        )
        staged++
      }
    await rebuild.publish(staged, undefined)
    await rebuild.sweep()
    assert.deepEqual(await store.compare!({ repair: false }), {
      expected: 4,
      held: 4,
      unchecked: 0,
      ...sound,
    })
    await store.drop()
  })

  test(`compare() of a store over ${name} counts chunks that readers do not see, and an engine that has lost everything`, async () => {
    const { engine, store, collection } = place()
    await publishChunks(store, EMBEDDER, [chunk('a', 'one'), chunk('b', 'two'), chunk('b', 'three')])
    // Removed documents can be restored: their points stay.
    await store.remove({ source: 'b', restorableUntil: 4e12 })
    const before = await store.compare!({ repair: true })
    assert.deepEqual([before!.expected, before!.held, before!.repair!.removed], [3, 3, 0])
    await engine.drop(collection())
    await engine.drop(removedOf(collection()))
    const after = (await store.compare!({ repair: true }))!
    assert.deepEqual(
      [
        after.expected,
        after.held,
        after.missing.count,
        after.repair!.written,
        after.repair!.left.missing.count,
      ],
      [3, 0, 3, 0, 3],
    )
    await store.drop()
  })

  test(`compare() of a store over ${name} embeds what is missing and nothing else [verify:engines]`, async () => {
    const { engine, store, collection } = place()
    const texts = Array.from({ length: 60 }, (_, at) => `text ${at}`)
    await publishChunks(
      store,
      EMBEDDER,
      texts.map((text) => chunk('a', text)),
    )
    await publishChunks(store, EMBEDDER, [chunk('b', 'text 7'), chunk('b', 'text 8')])
    const { rows } = await store.chunks({ offset: 0, limit: 100 })
    const lost = ['text 7', 'text 9', 'text 11']
    const ids = rows.filter(({ pageContent }) => lost.includes(pageContent)).map(({ id }) => id)
    assert.equal(ids.length, 4)
    await engine.delete(collection(), ids)
    // What a repair would embed is told without it.
    assert.equal((await store.compare!({ repair: false, estimate: true }))!.toEmbed, 3)
    const signal = AbortSignal.abort(new SluiceError('cancelled'))
    await assert.rejects(store.compare!({ repair: true, signal }), { code: 'cancelled' })
    const embedded: string[] = []
    const embedder = (id: string) => ({
      ...{ id, limits: { texts: 2, bytes: 1e6 } },
      async embed(batch: readonly string[]) {
        assert.ok(batch.length <= 2)
        embedded.push(...batch)
        return batch.map((text) => Float32Array.from(hashVector(text)))
      },
    })
    const nothing = { count: 0, first: [] }
    const sound = { missing: nothing, surplus: nothing, differing: nothing, damaged: nothing }
    // Another embedder makes other vectors.
    const told = await store.compare!({ repair: false, estimate: true, embedder: embedder('another') })
    assert.match(told!.why!, /was built with e and the flow now embeds with another/)
    const other = await store.compare!({ repair: true, embedder: embedder('another') })
    assert.deepEqual([other!.repair!.embedded, other!.repair!.left.missing.count, embedded], [0, 4, []])
    const mended = await store.compare!({ repair: true, embedder: embedder(EMBEDDER) })
    assert.deepEqual(mended!.repair, { written: 4, removed: 0, embedded: 3, left: sound })
    assert.deepEqual(embedded.sort(), [...lost].sort())
    const found = await store.search({ vector: hashVector('text 9'), limit: 1 })
    assert.deepEqual(
      found.map(({ pageContent }) => pageContent),
      ['text 9'],
    )
    await store.drop()
  })

  test(`compare() of a store over ${name} finds damaged vectors by their checks, and embeds only a text that has no sound one [verify:vectors]`, async () => {
    const { engine, store, collection } = place()
    const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`)
    const chunks = texts.map((text) => chunk('a', text))
    await publishChunks(store, EMBEDDER, [...chunks, chunk('b', 'text 3')])
    const { rows } = await store.chunks({ offset: 0, limit: 100 })
    const damage = async (source: string, text: string, change: (vector: Float32Array) => void) => {
      const { id, metadata } = rows.find((row) => row.pageContent === text && row.source === source)!
      const check = (await engine.checks(collection(), [id])).get(id)!
      const vector = (await engine.vectors(collection(), [id])).get(id)!
      change(vector)
      await engine.upsert(collection(), [{ id, text, metadata, vector, check }])
      return id
    }
    assert.equal((await store.compare!({ repair: false }))!.damaged.count, 0)
    // One of two points with a text, and the only one of another.
    const ids = [
      await damage('a', 'text 3', (vector) => vector.reverse()),
      await damage('a', 'text 5', (vector) => {
        const largest = vector.findIndex((one) => Math.abs(one) > 0.05)
        vector[largest]! *= -1
      }),
    ]
    const list = { count: 2, first: ids.sort() }
    const found = await store.compare!({ repair: false })
    assert.deepEqual([found!.damaged, found!.missing.count, found!.differing.count], [list, 0, 0])
    assert.equal((await store.compare!({ repair: false, estimate: true }))!.toEmbed, 1)
    const embedded: string[] = []
    const embedder = {
      ...{ id: EMBEDDER, limits: { texts: 10, bytes: 1e6 } },
      async embed(batch: readonly string[]) {
        embedded.push(...batch)
        return batch.map((text) => Float32Array.from(hashVector(text)))
      },
    }
    const { repair } = (await store.compare!({ repair: true, embedder }))!
    assert.deepEqual(embedded, ['text 5'])
    assert.deepEqual([repair!.written, repair!.embedded, repair!.left.damaged.count], [2, 1, 0])
    const sound = await store.compare!({ repair: false })
    assert.deepEqual([sound!.held, sound!.damaged.count, sound!.unchecked], [21, 0, 0])
    await store.drop()
  })
}
