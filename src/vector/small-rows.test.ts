import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { METRICS } from '../contract/retrieval.ts'
import { BLOCK_SLOTS } from './blocks.ts'
import { VectorImage } from './image.ts'
import { ScanThreads } from './scan-threads.ts'

const random = randomBelow(29)
const vectorOf = (dimensions: number) =>
  Float32Array.from({ length: dimensions }, () => random(20_001) / 10_000 - 1)

/** An image that is small, and one that is large from its beginning. */
function twins(dimensions: number) {
  const [small, large] = [new VectorImage({ dimensions }), new VectorImage({ dimensions })]
  assert.equal(large.slots.blocks.length, 0)
  const both = [small, large]
  return {
    ...{ small, dimensions },
    ids: new Set<number>(),
    put(id: number, vector: Float32Array) {
      for (const image of both) image.add(id, vector)
      this.ids.add(id)
    },
    remove(id: number) {
      assert.deepEqual(
        both.map((image) => image.remove(id)),
        [true, true],
      )
      this.ids.delete(id)
    },
    check() {
      assert.equal(small.size, this.ids.size)
      assert.equal(large.size, this.ids.size)
      const query = vectorOf(dimensions)
      const some = new Set([...this.ids].filter((_, at) => at % 3 === 0))
      const few = [...this.ids].filter((_, at) => at % 40 === 0)
      for (const metric of METRICS) {
        for (const allow of [undefined, some, new Set([...few, -1]), new Set([-1, -2])])
          for (const k of [0, 1, 7, 5000]) {
            const options = { k, metric, ...(allow ? { allow } : {}) }
            assert.deepEqual(small.search(query, options), large.search(query, options))
          }
        const scores = both.map((image) =>
          image.scores(query, [...few, -1], metric).sort((one, other) => one.id - other.id),
        )
        assert.deepEqual(scores[0], scores[1])
      }
    },
  }
}

test('a small VectorImage gives the hits and scores of a large one to the bit, through changes, beside images with other rows, and as it grows large', () => {
  // Two with rows of one length and one with longer rows use one memory in turn.
  const all = [twins(70), twins(96), twins(300)]
  for (let step = 1; step <= 7500; step++) {
    const one = all[step % all.length]!
    const { ids, dimensions } = one
    const known = [...ids.keys().take(1)][0]
    if (step % 10 === 4 && known !== undefined) one.remove(known)
    else if (step % 31 === 3 && known !== undefined) one.put(known, vectorOf(dimensions))
    else if (step % 37 === 5) one.put(step * 7, new Float32Array(dimensions))
    else one.put(step * (step % 4 === 0 ? 2 ** 20 : 3), vectorOf(dimensions))
    if (step % 250 === 0) for (const each of all) each.check()
  }
  for (const { small, ids } of all) {
    assert.ok(ids.size > BLOCK_SLOTS)
    for (const id of ids) assert.ok(small.has(id))
  }
})

test('a small VectorImage that becomes large keeps its empty slots for the next vectors', () => {
  const [small, large] = [new VectorImage({ dimensions: 5 }), new VectorImage({ dimensions: 5 })]
  void large.slots
  for (const image of [small, large]) {
    for (let id = 0; id < 9; id++) image.add(id, Float32Array.of(1, id, 2, 3, 4))
    for (const id of [2, 7, 4]) image.remove(id)
  }
  void small.slots
  for (const image of [small, large])
    for (const id of [20, 21, 22, 23]) image.add(id, Float32Array.of(id, 1, 2, 3, 4))
  assert.deepEqual(small.slots.bytesOf(0, 1), large.slots.bytesOf(0, 1))
  assert.equal(small.slots.used, 10)
})

test('a VectorImage takes memory by its content, up to a block by the vector [search:small-images]', () => {
  const image = new VectorImage({ dimensions: 256, threads: new ScanThreads() })
  const bytes: number[] = []
  for (let id = 0; id <= BLOCK_SLOTS; id++) {
    image.add(id, vectorOf(256))
    image.search(vectorOf(256), { k: 3 })
    bytes.push(image.bytes)
  }
  for (const [at, taken] of bytes.slice(0, BLOCK_SLOTS).entries())
    assert.ok(taken <= Math.max(4, (at + 1) * 1.5) * 272, `${at + 1} vectors take ${taken} bytes`)
  assert.equal(bytes[BLOCK_SLOTS], 2 * 311_296)
})
