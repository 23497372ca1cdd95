import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Metric } from '../../src/contract/retrieval.ts'
import type { Point, SeparateEngine } from '../../src/contract/vector-engine.ts'
import type { EngineServer } from '../../src/stores/remote/engine-server.ts'
import { matches } from '../../src/vector/matches.ts'
import { closeness } from '../../src/vector/metric.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { collect } from '../support/collect.ts'
import { clientOf, KEY, WAITS } from '../support/engines/client-of.ts'
import { type EngineFault, SILENCE, type ScriptedEngine } from '../support/engines/scripted-engine.ts'
import { repaired } from '../support/repaired.ts'
import { sharedStores } from '../support/store.ts'
import { chunkStoreSuite } from './chunk-store.ts'
import { engineComparisonSuite } from './engine-comparison.ts'
import { hiddenNeighbourSuite } from './hidden-neighbours.ts'
import { lostCollectionSuite } from './lost-collections.ts'
import { separateEngineSuite, type TestEngine, vectorEngineSuite } from './vector-engine.ts'

export type RemoteEngine = {
  name: string
  /** The server of `test/support/engines`. */
  scripted: { server: EngineServer; engine: ScriptedEngine }
  /** A real server, or why there is none. */
  real: EngineServer | string
  make(server: EngineServer, prefix: string, metric: Metric): SeparateEngine
  metrics: readonly Metric[]
  /** A part of the addresses of writes. */
  writes: string
  /** Whether the protocol can answer that a write is not done, or not for all of its points. */
  answersHalf?: boolean
  /** False where the engine takes no vector of zeros. */
  keepsZeros?: boolean
}

const FRUIT: Point[] = [
  { n: 1, tags: ['red', 'round'], deep: { a: 1 }, name: 'apple' },
  { n: 2, tags: ['red'], 'deep.a': 2, name: 'cherry' },
  { n: -3.5, tags: 'red', deep: { a: 'one' }, name: null },
  { n: '2', deep: { a: 1, b: [1, { c: 2 }] }, name: 'applesauce' },
  { day: '2024-05-01', flag: true },
  {},
].map((metadata, at) => ({
  id: `fruit-${at}`,
  text: `fruit ${at}`,
  vector: Float32Array.of(1, at / 10),
  metadata: metadata as Point['metadata'],
}))

const FILTERS = [
  { n: 2 },
  { n: { $ne: 2 } },
  { n: { $gt: 1 } },
  { n: { $gte: -3.5, $lt: 2 } },
  { n: { $in: [1, '2'] } },
  { n: { $nin: [1, '2'] } },
  { tags: 'red' },
  { tags: { $ne: 'red' } },
  { tags: ['red'] },
  { tags: { $contains: 'red' } },
  { $not: { tags: { $contains: 'red' } } },
  { 'deep.a': 1 },
  { 'deep.a': { $lte: 2 } },
  { 'deep.b': { $contains: { c: 2 } } },
  { name: { $contains: 'apple' } },
  { $not: { name: { $contains: 'apple' } } },
  { name: null },
  { name: { $exists: true } },
  { name: { $exists: false } },
  { day: { $gte: '2024-01-01' } },
  { day: { $lt: '2024-01-01' } },
  { flag: true },
  { $or: [{ n: 1 }, { 'deep.a': 2 }] },
  { $not: { $or: [{ n: 1 }, { n: { $gt: 0 } }] } },
  { $and: [{ tags: { $exists: true } }, { $not: { n: 1 } }] },
]

/** Everything that an engine in another server promises; run over the scripted server, and over a real one where there is one. */
export function remoteEngineSuite(remote: RemoteEngine): void {
  suites(`${remote.name} over the scripted server`, remote.scripted.server, remote)
  if (typeof remote.real === 'string')
    test(`${remote.name} over a real server keeps the contract of engines`, { skip: remote.real })
  else suites(`${remote.name} over a real server`, remote.real, remote)
  failureSuite(remote)
}

const newPrefix = () => `test-${randomUUID().slice(0, 8)}`

function suites(
  name: string,
  server: EngineServer,
  { make, metrics, real, keepsZeros = true }: RemoteEngine,
): void {
  const isReal = server === real
  const dropped = (engine: SeparateEngine, collections: string[]) =>
    Promise.all(collections.map((collection) => engine.drop(collection)))

  vectorEngineSuite(name, (): TestEngine => {
    const engine = make(server, newPrefix(), 'cosine')
    let collections = 0
    return {
      capabilities: engine.capabilities,
      collection() {
        const collection = `${++collections}`
        return {
          put: (points) =>
            engine.upsert(
              collection,
              points.map(({ text, vector, metadata = {} }) => ({
                ...{ id: `id of ${text}`, text, metadata },
                vector: Float32Array.from(vector),
              })),
            ),
          remove: (texts) =>
            engine.delete(
              collection,
              texts.map((text) => `id of ${text}`),
            ),
          search: (request) => engine.search(collection, request),
          textOf: (id) => id.slice('id of '.length),
          drop: () => engine.drop(collection),
        }
      },
    }
  })

  separateEngineSuite(name, () => make(server, newPrefix(), 'cosine'))

  const { stores, newNamespace } = sharedStores()
  const prefix = newPrefix()
  const source = { name: prefix, key: '', create: () => make(server, prefix, 'cosine') }
  chunkStoreSuite(`a store over ${name}`, () => {
    const namespace = newNamespace()
    return { open: (below) => stores.openSeparate(`${namespace} ${below}`, source) }
  })

  engineComparisonSuite(name, {
    make: () => make(server, newPrefix(), 'cosine'),
    open: (own) => stores.openSeparate(newNamespace(), own),
  })

  lostCollectionSuite(name, {
    make: () => make(server, newPrefix(), 'cosine'),
    place: () => ({ stores, namespace: newNamespace() }),
  })

  hiddenNeighbourSuite(name, {
    make: () => make(server, newPrefix(), 'cosine'),
    place: () => ({ stores, namespace: newNamespace() }),
    // The scripted server compares all points, in no graph.
    staged: isReal ? 3000 : 300,
  })

  for (const metric of metrics)
    test(`${name} finds by ${metric} with exact scores`, async () => {
      const engine = make(server, newPrefix(), metric)
      const vectors = [
        [3, 4],
        [-1, 2],
        [0.5, 0],
        [-2, -1],
      ]
      const points = vectors.map((vector, at) => ({
        ...{ id: `${at}`, text: `${at}`, metadata: {}, vector: Float32Array.from(vector) },
      }))
      await engine.upsert('c', points)
      const question = Float32Array.of(1, 0.5)
      const found = await engine.search('c', { vector: question, metric, limit: 10 })
      assert.equal(found.length, 4)
      for (const { id, vectorScore } of found) {
        const expected = closeness(metric, question, points[Number(id)]!.vector)!
        assert.ok(Math.abs(vectorScore! - expected) < 1e-4, `${id}: ${vectorScore} instead of ${expected}`)
      }
      await dropped(engine, ['c'])
    })

  test(`${name} ${keepsZeros ? 'keeps' : 'refuses'} a vector of zeros, and a question with one finds nothing close`, async () => {
    const engine = make(server, newPrefix(), 'cosine')
    const point = (id: string, ...numbers: number[]) => ({
      ...{ id, text: `text ${id}`, metadata: { id }, vector: Float32Array.from(numbers) },
    })
    await engine.upsert('c', [point('a', 1, 0)])
    const zeros = engine.upsert('c', [point('zeros', 0, 0), point('b', 0, 1)])
    if (!keepsZeros) {
      await assert.rejects(zeros, { code: 'provider_failed' })
      await dropped(engine, ['c'])
      return
    }
    await zeros
    assert.deepEqual((await engine.vectors('c', ['zeros'])).get('zeros'), new Float32Array(2))
    const close = async (...numbers: number[]) => {
      const request = {
        vector: Float32Array.from(numbers),
        metric: 'cosine',
        limit: 10,
        vectors: true,
      } as const
      const found = await engine.search('c', request)
      for (const { id, vector } of found) if (id === 'zeros') assert.deepEqual(vector, new Float32Array(2))
      return found.flatMap(({ id, vectorScore }) => (vectorScore! > 1e-6 ? id : []))
    }
    assert.deepEqual(await close(1, 0), ['a'])
    assert.deepEqual(await close(0, 0), [])
    const known = new Map(['a', 'b', 'zeros'].map((id) => [id, { text: `text ${id}`, metadata: { id } }]))
    const held = (await collect(engine.compare('c', async () => known))).flat()
    assert.deepEqual(
      held.map(({ state }) => state),
      ['same', 'same', 'same'],
    )
    await dropped(engine, ['c'])
  })

  test(`${name} leaves out no point that meets a filter`, async () => {
    const engine = make(server, newPrefix(), 'cosine')
    await engine.upsert('c', FRUIT)
    let narrowed = 0
    for (const raw of FILTERS) {
      const filter = parseFilter(raw)
      const found = await engine.search('c', {
        ...{ vector: Float32Array.of(1, 0), metric: 'cosine', limit: 100 },
        ...(engine.capabilities.filters ? { filter } : {}),
      })
      const ids = new Set(found.map(({ id }) => id))
      for (const { id, metadata } of FRUIT)
        if (matches(filter, metadata)) assert.ok(ids.has(id), `${JSON.stringify(raw)} misses ${id}`)
      if (ids.size < FRUIT.length) narrowed++
    }
    // A filter that is passed on to the engine narrows most of the searches.
    if (engine.capabilities.filters) assert.ok(narrowed > FILTERS.length / 2, `${narrowed} are narrowed`)
    await dropped(engine, ['c'])
  })

  test(`${name} writes, reads and repairs more points than one call takes`, async () => {
    const engine = make(server, newPrefix(), 'cosine')
    const many = Array.from({ length: 2300 }, (_, at) => ({
      ...{ id: `many-${at}`, text: `${at}`, metadata: { at }, vector: Float32Array.of(1, at / 2300) },
    }))
    await engine.upsert('c', many)
    const ids = many.map(({ id }) => id)
    assert.equal((await engine.vectors('c', ids)).size, many.length)
    assert.deepEqual(await repaired(engine, 'c', ids.slice(0, 1500), ['absent']), {
      removed: 800,
      missing: ['absent'],
    })
    assert.equal((await engine.vectors('c', ids)).size, 1500)
    await dropped(engine, ['c'])
  })
}

/** Failures of the server, which only a scripted one has at will. */
function failureSuite({
  name,
  scripted: { server, engine: scripted },
  make,
  writes,
  answersHalf,
}: RemoteEngine): void {
  const points = FRUIT.slice(0, 4)
  const held = async (engine: SeparateEngine) =>
    [
      ...(
        await engine.vectors(
          'c',
          points.map(({ id }) => id),
        )
      ).keys(),
    ].sort()
  const all = points.map(({ id }) => id)

  const passing: [string, EngineFault[]][] = [
    ['429 with Retry-After', [{ reply: { status: 429, headers: { 'retry-after': '17' } } }]],
    ['500', [{ reply: { status: 500 } }]],
    ['503, twice', [{ reply: { status: 503 } }, { reply: { status: 503 } }]],
    ['a connection cut before the write', [{ cut: 'before' }]],
    ['a connection cut after the write', [{ cut: 'after' }]],
    ['a batch of which half is applied', [{ half: 'refused' }]],
  ]
  if (answersHalf) passing.push(['a batch of which half is applied by its answer', [{ half: 'answered' }]])
  for (const [failure, faults] of passing)
    test(`${name} writes all points once after ${failure}`, async () => {
      const engine = make(server, newPrefix(), 'cosine')
      await engine.upsert('c', points.slice(0, 1))
      scripted.script(...faults.map((fault) => ({ on: writes, ...fault })))
      WAITS.length = 0
      await engine.upsert('c', points)
      if (failure.includes('Retry-After')) assert.deepEqual(WAITS.slice(0, 1), [17_000])
      assert.deepEqual(await held(engine), all)
      const found = await engine.search('c', { vector: Float32Array.of(1, 0), metric: 'cosine', limit: 100 })
      assert.deepEqual(found.map(({ id }) => id).sort(), all)
      scripted.script(...faults.map((fault) => ({ on: writes, ...fault })))
      await engine.delete('c', all.slice(1))
      assert.deepEqual(await held(engine), all.slice(0, 1))
    })

  test(`${name} names the server in the error of a failure that stays, and not the key`, async () => {
    const engine = make(server, newPrefix(), 'cosine')
    await engine.upsert('c', points)
    scripted.script(...Array.from({ length: 4 }, () => ({ on: writes, reply: { status: 503 } })))
    await assert.rejects(engine.upsert('c', points), { code: 'provider_failed', message: /The engine.*503/ })
    scripted.script({ on: writes, reply: { status: 401, body: { message: `the key ${KEY} is wrong` } } })
    await assert.rejects(engine.upsert('c', points), {
      ...{ code: 'provider_failed', message: 'The engine failed: it answered 401: the key … is wrong' },
    })
    await engine.upsert('c', points)
    assert.deepEqual(await held(engine), all)
  })

  test(`${name} gives up on a server that does not answer`, async () => {
    const prefix = newPrefix()
    const engine = make(server, prefix, 'cosine')
    await engine.upsert('c', points)
    const impatient = make(clientOf(scripted.url, SILENCE, 20), prefix, 'cosine')
    await assert.rejects(impatient.upsert('c', points), { code: 'provider_timeout' })
    await engine.upsert('c', points)
    assert.deepEqual(await held(engine), all)
  })

  test(`${name} takes a collection that was dropped elsewhere for an empty one, and makes it again where it is told to`, async () => {
    const prefix = newPrefix()
    const [one, other] = [make(server, prefix, 'cosine'), make(server, prefix, 'cosine')]
    await one.upsert('c', points)
    await other.drop('c')
    assert.deepEqual(await one.search('c', { vector: Float32Array.of(1, 0), metric: 'cosine', limit: 5 }), [])
    assert.deepEqual(await held(one), [])
    await one.delete('c', all)
    await other.upsert('c', points)
    await one.upsert('c', points)
    assert.deepEqual(await held(one), all)
  })
}
