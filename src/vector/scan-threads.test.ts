import assert from 'node:assert/strict'
import { test } from 'node:test'
import { METRICS } from '../contract/retrieval.ts'
import { VectorImage } from './image.ts'
import { ScanThreads } from './scan-threads.ts'

const DIMENSIONS = 64
/** More than one thread takes at a time. */
const ROWS = 40_000

const threads = new ScanThreads()

/** Numbers that repeat after 65,521 of them and not before (powers of a primitive root). */
const NUMBERS = new Float32Array(65_520)
for (let at = 0, power = 1; at < NUMBERS.length; at++, power = (power * 17) % 65_521)
  NUMBERS[at] = power / 65_521 - 0.5

const vectorOf = (number: number): Float32Array => {
  const start = (number * 12_289) % (NUMBERS.length - DIMENSIONS)
  return NUMBERS.subarray(start, start + DIMENSIONS)
}

function filled(signsFrom?: number): VectorImage {
  const options = signsFrom === undefined ? {} : { signsFrom }
  const image = new VectorImage({ dimensions: DIMENSIONS, threads, threadedFrom: 1, ...options })
  for (let id = 0; id < ROWS; id++) image.add(id, vectorOf(id))
  return image
}

test('VectorImage finds by threads what it finds alone, with every metric and a filter', async () => {
  const image = filled()
  for (let id = 0; id < ROWS; id += 9) image.remove(id)
  const half = new Set([...new Array(ROWS).keys()].filter((id) => id % 2 === 1))
  for (const metric of METRICS)
    for (const options of [
      { k: 10, metric },
      { k: 300, metric, allow: half },
    ]) {
      const query = vectorOf(70_000)
      assert.deepEqual(await image.searchAside(query, options), image.search(query, options))
    }
  assert.equal(image.searchAside(vectorOf(1), { k: 5, allow: new Set([1, 2, 3]) }), undefined)
  image.close()
  assert.equal(image.searchAside(vectorOf(1), { k: 5 }), undefined)
})

test('VectorImage finds vectors that were added after the threads received it', async () => {
  const image = filled()
  const query = vectorOf(5).toReversed()
  assert.equal((await image.searchAside(query, { k: 1 }))!.length, 1)
  for (let id = ROWS; id < 2 * ROWS; id++) image.add(id, vectorOf(id))
  image.add(-7, query)
  const asked = await Promise.all(Array.from({ length: 5 }, () => image.searchAside(query, { k: 1 })))
  assert.deepEqual(
    asked.map((hits) => hits![0]!.id),
    [-7, -7, -7, -7, -7],
  )
  image.close()
})

test('VectorImage compares signs by threads', async () => {
  const image = filled(1000)
  for (const id of [3, 19_999, 39_998])
    assert.equal((await image.searchAside(vectorOf(id), { k: 1 }))![0]!.id, id)
  image.close()
})
