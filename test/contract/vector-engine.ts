import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metadata } from '../../src/contract/document.ts'
import type { Metric } from '../../src/contract/retrieval.ts'
import type { PointContent } from '../../src/contract/ledger-points.ts'
import type {
  EngineCandidate,
  EngineCapabilities,
  EngineRequest,
  SeparateEngine,
} from '../../src/contract/vector-engine.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { vectorCheck } from '../../src/stores/vector-check.ts'
import { collect } from '../support/collect.ts'
import { engineSteps } from '../../src/stores/engine-check/engine-steps.ts'
import { runSteps } from '../../src/stores/engine-check/run-steps.ts'
import { repaired } from '../support/repaired.ts'

export type TestPoint = { text: string; vector: readonly number[]; metadata?: Metadata }

/**
 * A collection of an engine that is empty at first. A separate engine gets points by `upsert`, one that commits with its
 * ledger by a published run.
 */
export type TestCollection = {
  put(points: readonly TestPoint[]): Promise<void>
  /** Removes points by their texts. */
  remove(texts: readonly string[]): Promise<void>
  search(request: EngineRequest): Promise<EngineCandidate[]>
  /** The text of a point that was put. */
  textOf(id: string): string
  drop(): Promise<void>
}

export type TestEngine = { capabilities: EngineCapabilities; collection(): TestCollection }

const BIRDS: TestPoint[] = [
  { text: 'the heron stands', vector: [1, 0.5], metadata: { n: 1 } },
  { text: 'the heron and the otter', vector: [9, 5], metadata: { n: 2 } },
  { text: 'no birds here', vector: [2, 0], metadata: { n: 3, kind: 'x' } },
]

const EAST = Float32Array.of(1, 0)

/** An engine that compares by the cosine alone may keep vectors at length 1, and any engine numbers of 32 bits. */
export function assertVector(
  actual: Float32Array,
  expected: readonly number[],
  { metrics }: Pick<EngineCapabilities, 'metrics'>,
): void {
  const unit = metrics.length === 1 && metrics[0] === 'cosine'
  const scaled = (vector: readonly number[]) => {
    const length = unit ? Math.hypot(...vector) : 1
    return vector.map((number) => Math.round((number / length) * 1e5) / 1e5)
  }
  assert.deepEqual(scaled([...actual]), scaled(expected))
}

/** What every vector engine promises, with its declared capabilities; run by each implementation. */
export function vectorEngineSuite(name: string, make: () => TestEngine): void {
  const { capabilities } = make()
  const promises = (
    promise: string,
    check: (collection: TestCollection, engine: TestEngine) => Promise<void>,
  ) =>
    test(`${name} ${promise}`, async () => {
      const engine = make()
      await check(engine.collection(), engine)
    })

  const textsFound = (collection: TestCollection, found: readonly EngineCandidate[]) =>
    found.map(({ id }) => collection.textOf(id)).sort()

  promises('finds nothing in a collection without points', async (collection) => {
    assert.deepEqual(await collection.search({ vector: EAST, metric: 'cosine', limit: 5 }), [])
  })

  /** Score and text of the two best, by metric. */
  const best: Record<Metric, [string, number][]> = {
    cosine: [
      ['no birds here', 1],
      ['the heron stands', 0.894],
    ],
    dot: [
      ['the heron and the otter', 9],
      ['no birds here', 2],
    ],
    euclidean: [
      ['the heron stands', 0.667],
      ['no birds here', 0.5],
    ],
  }
  for (const metric of capabilities.metrics)
    promises(
      `finds the best by ${metric} with exact scores, and no more than the limit`,
      async (collection) => {
        await collection.put(BIRDS)
        const found = await collection.search({ vector: EAST, metric, limit: 2 })
        assert.deepEqual(
          found
            .toSorted((one, other) => other.vectorScore! - one.vectorScore!)
            .map(({ id, vectorScore }) => [collection.textOf(id), Math.round(vectorScore! * 1000) / 1000]),
          best[metric],
        )
        assert.ok(found.every(({ keywordScore, matched }) => keywordScore === null && matched === null))
      },
    )

  promises(
    'gives the same string id at each search, and vectors where they are asked for',
    async (collection) => {
      await collection.put(BIRDS)
      const request = { vector: EAST, metric: 'cosine', limit: 1 } as const
      const [first] = await collection.search(request)
      const [again] = await collection.search({ ...request, vectors: true })
      assert.equal(typeof first!.id, 'string')
      assert.equal(again!.id, first!.id)
      assert.equal(first!.vector, undefined)
      assertVector(again!.vector!, [2, 0], capabilities)
    },
  )

  if (capabilities.keywords)
    promises('finds by words, with a score above zero for those alone that hold one', async (collection) => {
      await collection.put(BIRDS)
      const found = await collection.search({ text: 'heron?', metric: 'cosine', limit: 5 })
      assert.deepEqual(textsFound(collection, found), ['the heron and the otter', 'the heron stands'])
      for (const { vectorScore, keywordScore, matched } of found) {
        assert.equal(vectorScore, null)
        assert.ok(keywordScore! > 0)
        assert.ok(matched === null || (matched > 0 && matched <= 1))
      }
      const both = await collection.search({ text: 'heron', vector: EAST, metric: 'cosine', limit: 1 })
      assert.ok(textsFound(collection, both).includes('no birds here'))
      assert.equal(both.filter(({ keywordScore }) => keywordScore !== null).length, 1)
    })

  if (capabilities.filters)
    promises('finds the best of those that meet a filter', async (collection) => {
      await collection.put(BIRDS)
      const find = async (raw: object, limit: number) => {
        const filter = parseFilter(raw)
        return textsFound(
          collection,
          await collection.search({ vector: EAST, metric: 'cosine', limit, filter }),
        )
      }
      assert.deepEqual(await find({ n: { $lt: 3 } }, 1), ['the heron stands'])
      assert.deepEqual(await find({ kind: { $exists: false } }, 5), [
        'the heron and the otter',
        'the heron stands',
      ])
      assert.deepEqual(await find({ n: 9 }, 5), [])
    })

  promises('does not find removed points', async (collection) => {
    await collection.put(BIRDS)
    await collection.remove(['no birds here'])
    const found = await collection.search({ vector: EAST, metric: 'cosine', limit: 5 })
    assert.deepEqual(textsFound(collection, found), ['the heron and the otter', 'the heron stands'])
  })

  promises('keeps collections apart, and drops one alone', async (collection, engine) => {
    const other = engine.collection()
    await collection.put(BIRDS)
    await other.put(BIRDS.slice(0, 1))
    const search = (one: TestCollection) => one.search({ vector: EAST, metric: 'cosine', limit: 5 })
    assert.equal((await search(other)).length, 1)
    await collection.drop()
    assert.deepEqual(await search(collection), [])
    assert.equal((await search(other)).length, 1)
  })
}

/** What a separate engine promises besides: its own writes. */
export function separateEngineSuite(name: string, make: () => SeparateEngine): void {
  const point = (id: string, text = id) => ({ id, text, vector: Float32Array.of(1, 2), metadata: { id } })
  const idsIn = async (engine: SeparateEngine, collection: string) =>
    (await engine.search(collection, { vector: EAST, metric: 'cosine', limit: 100 }))
      .map(({ id }) => id)
      .sort()

  test(`${name} takes the same points again without a second copy`, async () => {
    const engine = make()
    for (let turn = 0; turn < 2; turn++) await engine.upsert('c', [point('a'), point('b')])
    assert.deepEqual(await idsIn(engine, 'c'), ['a', 'b'])
    await engine.upsert('c', [{ ...point('a'), vector: Float32Array.of(3, 4) }])
    const vectors = await engine.vectors('c', ['a', 'unknown'])
    assert.deepEqual([...vectors.keys()], ['a'])
    assertVector(vectors.get('a')!, [3, 4], engine.capabilities)
  })

  test(`${name} deletes what is there, and takes unknown ids and collections for no error`, async () => {
    const engine = make()
    await engine.delete('c', ['a'])
    await engine.drop('c')
    await engine.upsert('c', [point('a'), point('b')])
    await engine.delete('c', ['a', 'unknown'])
    assert.deepEqual(await idsIn(engine, 'c'), ['b'])
  })

  test(`${name} repairs a collection: surplus points go, missing ones are named`, async () => {
    const engine = make()
    await engine.upsert('c', [point('a'), point('b'), point('surplus')])
    await engine.upsert('d', [point('surplus')])
    assert.deepEqual(await repaired(engine, 'c', ['a', 'missing'], ['b']), {
      removed: 1,
      missing: ['missing'],
    })
    assert.deepEqual(await idsIn(engine, 'c'), ['a', 'b'])
    assert.deepEqual(await idsIn(engine, 'd'), ['surplus'])
  })

  test(`${name} passes the steps of sluice engine check [engines:check]`, async () => {
    const engine = make()
    const signal = new AbortController().signal
    const steps = await runSteps(engineSteps(engine, { collection: 'c', dimensions: 8 }), { signal })
    await engine.drop('c')
    for (const { step, outcome, found } of steps) {
      const isPassed = outcome === 'ok' || (outcome === 'left out' && (step === 'words' || step === 'filter'))
      assert.ok(isPassed, `${step}: ${outcome}: ${found}`)
    }
  })

  test(`${name} lists its ids, and keeps a check of each vector, or the one that a point brings`, async () => {
    const engine = make()
    const vector = Float32Array.of(3, 4, 0)
    const points = ['a', 'b'].map((id) => ({ id, vector, text: id, metadata: {} }))
    await engine.upsert('c', points)
    await engine.upsert('c', [{ ...points[1]!, check: 'brought' }])
    const listed = (await collect(engine.ids('c'))).flat()
    assert.deepEqual(listed.sort(), ['a', 'b'])
    assert.deepEqual((await collect(engine.ids('none'))).flat(), [])
    const checks = await engine.checks('c', ['a', 'b', 'unknown'])
    assert.deepEqual([...checks].sort(), [
      ['a', vectorCheck(vector)],
      ['b', 'brought'],
    ])
    assert.equal((await engine.checks('none', ['a'])).size, 0)
    const held = (await collect(engine.compare('c', async () => new Map()))).flat()
    assert.deepEqual(held.map(({ id, check }) => [id, check]).sort(), [...checks].sort())
  })

  test(`${name} compares what it holds with what is expected, and changes nothing`, async () => {
    const engine = make()
    const content = (id: string, n = 1) => ({
      text: `text of ${id}, with \u0000 and ü`,
      metadata: { id, n, list: [1, 'two', null], deep: { x: 0.1, y: null }, none: null },
    })
    const ids = Array.from({ length: 1200 }, (_, at) => `point ${at}`)
    const vector = Float32Array.of(1, 2)
    await engine.upsert(
      'c',
      ids.map((id) => ({ id, vector, ...content(id) })),
    )
    await engine.upsert('d', [{ id: 'other', vector, ...content('other') }])
    const compare = async (change: (contents: Map<string, PointContent>) => void) => {
      const contents = new Map(ids.map((id) => [id, content(id)]))
      change(contents)
      const held = await collect(
        engine.compare('c', async (asked) => {
          const known = asked.flatMap((id) => (contents.has(id) ? [[id, contents.get(id)!] as const] : []))
          return new Map(known)
        }),
      )
      return held.flat()
    }
    const sound = await compare(() => {})
    assert.deepEqual(new Set(sound.map(({ id }) => id)), new Set(ids))
    assert.equal(sound.length, ids.length)
    assert.ok(sound.every(({ state }) => state === 'same'))
    const damaged = await compare((contents) => {
      contents.delete('point 7')
      contents.set('point 8', { ...content('point 8'), text: 'another text' })
      contents.set('point 1100', content('point 1100', 2))
      contents.set('point 9', { ...content('point 9'), metadata: {} })
    })
    assert.deepEqual(
      damaged
        .filter(({ state }) => state !== 'same')
        .map(({ id, state }) => `${id} ${state}`)
        .sort(),
      ['point 1100 differs', 'point 7 unknown', 'point 8 differs', 'point 9 differs'],
    )
    assert.deepEqual((await collect(engine.compare('none', async () => new Map()))).flat(), [])
    assert.equal((await idsIn(engine, 'd')).length, 1)
  })
}
