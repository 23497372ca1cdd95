import assert from 'node:assert/strict'
import { test } from 'node:test'
import { METRICS, type Metric } from '../contract/retrieval.ts'
import { VectorImage, searchExactly } from './image.ts'
import { exactScore } from './metric.ts'
import { ScanThreads } from './scan-threads.ts'

/** Numbers from -0.5 to 0.5 (Park and Miller's generator), the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  }
}

const randomVector = (dimensions: number, random: () => number, size = 1) =>
  Float32Array.from({ length: dimensions }, () => random() * size)

/** The best k of a plain float64 scan. */
function plainSearch(
  vectors: ReadonlyMap<number, Float32Array>,
  query: Float32Array,
  { k, metric, allow = () => true }: { k: number; metric: Metric; allow?: (id: number) => boolean },
) {
  return [...vectors]
    .filter(([id]) => allow(id))
    .map(([id, vector]) => ({ id, score: exactScore(metric, query, vector) }))
    .filter(({ score }) => !Number.isNaN(score))
    .sort((left, right) => right.score - left.score || left.id - right.id)
    .slice(0, k)
}

/** Vectors of all lengths, some of them zeros or twins, after removals and replacements; ids far apart. */
function populate(dimensions: number, count: number, random: () => number, signsFrom?: number) {
  const image = new VectorImage({ dimensions, ...(signsFrom === undefined ? {} : { signsFrom }) })
  const vectors = new Map<number, Float32Array>()
  const put = (id: number, vector: Float32Array) => {
    image.add(id, vector)
    vectors.set(id, vector)
  }
  for (let at = 0; at < count; at++) {
    const id = at * 3 + (at % 2) * 2 ** 40
    if (at % 97 === 5) put(id, new Float32Array(dimensions))
    else put(id, randomVector(dimensions, random, 1 + (at % 3) * 0.1))
  }
  const ids = [...vectors.keys()]
  for (const [at, id] of ids.entries()) {
    if (at % 7 === 3) {
      assert.equal(image.remove(id), true)
      vectors.delete(id)
    } else if (at % 11 === 4) put(id, randomVector(dimensions, random))
    else if (at % 53 === 1) put(id + 1, vectors.get(id)!)
  }
  return { image, vectors }
}

for (const [dimensions, count] of [
  ...[
    [1, 300],
    [31, 1200],
    [64, 2500],
    [65, 2500],
    [100, 1200],
    [256, 1200],
  ],
  ...[
    [768, 500],
    [1536, 300],
    [4096, 150],
  ],
] as [number, number][])
  test(`VectorImage finds what a plain scan finds, with ${dimensions} dimensions`, () => {
    const random = seeded(dimensions)
    const { image, vectors } = populate(dimensions, count, random)
    assert.equal(image.size, vectors.size)
    const exact = () => vectors
    const third = [...vectors.keys()].filter((_, at) => at % 3 === 0)
    const few = third.slice(0, vectors.size / 20)
    const absent = [5e9 + 1, 5e9 + 2]
    const lists = [third, few, [...few, ...absent], absent].map((ids) => new Set(ids))
    for (let round = 0; round < 3; round++) {
      const query = randomVector(dimensions, random)
      for (const metric of METRICS) {
        const options = { k: 10, metric }
        const found = searchExactly(image, query, { ...options, exact })
        // With one dimension every cosine is 1 or -1 and hundreds of hits are equal: then only the scores say something.
        const view = (hits: { id: number; score: number }[]) =>
          dimensions === 1 ? hits.map(({ score }) => score) : hits
        assert.deepEqual(view(found), view(plainSearch(vectors, query, options)))
        for (const allow of lists)
          assert.deepEqual(
            view(searchExactly(image, query, { ...options, exact, allow })),
            view(plainSearch(vectors, query, { ...options, allow: (id) => allow.has(id) })),
          )
      }
    }
  })

test('VectorImage scores within a hundredth of the exact score', () => {
  const random = seeded(3)
  const { image, vectors } = populate(256, 1500, random)
  for (const metric of METRICS) {
    const query = randomVector(256, random)
    const spread = Math.abs(exactScore(metric, query, query)) || 1
    const hits = image.search(query, { k: 2000, metric })
    assert.ok(hits.length > 1000)
    for (const { id, score } of hits)
      assert.ok(Math.abs(score - exactScore(metric, query, vectors.get(id)!)) < spread / 100)
  }
})

test('VectorImage looks at signs first in a large image and keeps them in step', () => {
  const random = seeded(5)
  const { image, vectors } = populate(96, 3000, random, 1000)
  const exact = () => vectors
  const near = (vector: Float32Array) => vector.map((number) => number + random() * 0.2)
  const search = (query: Float32Array) => searchExactly(image, query, { k: 1, exact })
  for (let round = 0; round < 60; round++) {
    const [id, vector] = [...vectors][Math.floor((random() + 0.5) * vectors.size)]!
    if (vector.every((number) => number === 0)) continue
    const query = near(vector)
    assert.deepEqual(search(query), plainSearch(vectors, query, { k: 1, metric: 'cosine' }))
    if (round % 2 === 0) {
      image.remove(id)
      vectors.delete(id)
      assert.notEqual(search(query)[0]!.id, id)
      const other = randomVector(96, random)
      image.add(-round - 1, other)
      vectors.set(-round - 1, other)
      assert.equal(search(near(other))[0]!.id, -round - 1)
    }
  }
})

test('VectorImage never finds a removed vector, nor a zero vector by its cosine', () => {
  const image = new VectorImage({ dimensions: 64 })
  const ones = new Float32Array(64).fill(1)
  image.add(1, ones)
  image.add(2, new Float32Array(64))
  image.add(
    3,
    ones.map(() => -1),
  )
  assert.deepEqual(
    image.search(ones, { k: 5 }).map(({ id }) => id),
    [1, 3],
  )
  assert.deepEqual(image.search(new Float32Array(64), { k: 5 }), [])
  assert.deepEqual(
    image.search(ones, { k: 5, metric: 'dot' }).map(({ id }) => id),
    [1, 2, 3],
  )
  assert.equal(image.remove(1), true)
  assert.equal(image.remove(1), false)
  assert.equal(image.has(1), false)
  assert.deepEqual(
    image.search(ones, { k: 5, metric: 'euclidean' }).map(({ id }) => id),
    [2, 3],
  )
  assert.deepEqual(image.search(ones, { k: 5, allow: new Set([1, 2, 99]) }), [])
  image.add(4, ones)
  assert.deepEqual(
    image.search(ones, { k: 1 }).map(({ id }) => id),
    [4],
  )
  assert.equal(image.size, 3)
  assert.deepEqual(image.search(ones, { k: 0 }), [])
})

test('VectorImage is empty at first and after everything was removed', () => {
  const random = seeded(9)
  const image = new VectorImage({ dimensions: 80 })
  const query = randomVector(80, random)
  assert.deepEqual(image.search(query, { k: 10 }), [])
  for (let id = 0; id < 3000; id++) image.add(id, randomVector(80, random))
  for (let id = 0; id < 3000; id++) image.remove(id)
  assert.equal(image.size, 0)
  assert.deepEqual(image.search(query, { k: 10 }), [])
})

test('VectorImage refuses a vector of another length or without finite numbers', () => {
  const image = new VectorImage({ dimensions: 64 })
  assert.throws(() => image.add(1, new Float32Array(65)), { code: 'dimension_mismatch' })
  assert.throws(() => image.search(new Float32Array(63), { k: 1 }), { code: 'dimension_mismatch' })
  for (const number of [Number.NaN, Infinity, -Infinity])
    assert.throws(() => image.add(1, new Float32Array(64).fill(number)), { code: 'provider_failed' })
  assert.equal(image.size, 0)
})

test('VectorImage takes numbers of any size', () => {
  const random = seeded(13)
  for (const size of [1e-15, 1e-8, 1e8, 1e15]) {
    const image = new VectorImage({ dimensions: 64 })
    const vectors = Array.from({ length: 50 }, () => randomVector(64, random, size))
    for (const [id, vector] of vectors.entries()) image.add(id, vector)
    for (const [id, vector] of vectors.entries())
      for (const metric of ['cosine', 'euclidean'] as const)
        assert.equal(image.search(vector, { k: 1, metric })[0]!.id, id, `${size} ${metric}`)
  }
})

test('VectorImage is made for any number of dimensions, with scratch memory for threads', () => {
  for (const dimensions of [1, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096]) {
    const image = new VectorImage({ dimensions, threads: new ScanThreads() })
    const vector = new Float32Array(dimensions).fill(1)
    image.add(7, vector)
    assert.deepEqual(
      image.search(vector, { k: 1 }).map(({ id }) => id),
      [7],
      `${dimensions}`,
    )
  }
})
