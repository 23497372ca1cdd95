import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strideOf } from './blocks.ts'
import { type ImageOptions, type SearchOptions, VectorImage } from './image.ts'
import { ScanThreads } from './scan-threads.ts'

const DIMENSIONS = 32
const STRIDE = strideOf(DIMENSIONS)
const threads = new ScanThreads()

const vectorOf = (id: number) =>
  Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(id + at * id + 1))

function filled(size: number, options: Partial<ImageOptions>): VectorImage {
  const image = new VectorImage({ dimensions: DIMENSIONS, threads, ...options })
  for (let id = 0; id < size; id++) image.add(id, vectorOf(id))
  return image
}

const ids = (count: number) => new Set(new Array(count).keys())

/** Threads are used from `threadedFrom` bytes on: it is just met, and just missed. */
for (const [what, size, signsFrom, options, rows] of [
  ['all vectors, without signs', 40, 41, {}, 40],
  ['a quarter of all, where signs are compared first', 40, 40, {}, 10],
  ['all vectors with another metric than the cosine', 40, 40, { metric: 'euclidean' }, 40],
  ['those that are allowed', 40, 41, { allow: ids(20) }, 20],
  ['a quarter of all, where many are allowed', 40, 20, { allow: ids(20) }, 10],
  ['those that are allowed, where they are less than a quarter', 40, 5, { allow: ids(8) }, 8],
] as [string, number, number, Partial<SearchOptions>, number][])
  test(`searchAside() counts the bytes of ${what}`, async () => {
    const asked = { k: 3, ...options }
    const met = filled(size, { signsFrom, threadedFrom: rows * STRIDE })
    const found = await met.searchAside(vectorOf(1), asked)
    assert.deepEqual(found, met.search(vectorOf(1), asked))
    const missed = filled(size, { signsFrom, threadedFrom: rows * STRIDE + 1 })
    assert.equal(missed.searchAside(vectorOf(1), asked), undefined)
    met.close()
    missed.close()
  })

test('searchAside() uses no threads where fewer than one in sixteen vectors are allowed', () => {
  const image = filled(32, { threadedFrom: 0 })
  assert.equal(image.searchAside(vectorOf(1), { k: 1, allow: ids(1) }), undefined)
  assert.notEqual(image.searchAside(vectorOf(1), { k: 1, allow: ids(2) }), undefined)
})

test('searchAside() uses no threads for a small image unless the threshold is set', () => {
  assert.equal(filled(32, {}).searchAside(vectorOf(1), { k: 1 }), undefined)
})

test('searchAside() gives equal scores in the order of their ids', async () => {
  const image = filled(0, { threadedFrom: 0 })
  for (const id of [7, 3, 9, 1, 5]) image.add(id, vectorOf(1))
  const hits = await image.searchAside(vectorOf(1), { k: 5 })
  assert.deepEqual(
    hits!.map(({ id }) => id),
    [1, 3, 5, 7, 9],
  )
})

test('VectorImage refuses a number that is not finite at the first place and at the last', () => {
  const image = filled(0, {})
  for (const place of [0, DIMENSIONS - 1]) {
    const vector = vectorOf(1)
    vector[place] = Number.NaN
    assert.throws(() => image.add(1, vector), { code: 'provider_failed' })
  }
})
