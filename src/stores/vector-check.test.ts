import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { meetsCheck, vectorCheck } from './vector-check.ts'

const below = randomBelow(26)
const randomVector = (dimensions: number, size = 1) =>
  Float32Array.from({ length: dimensions }, () => size * (below(20_001) / 10_000 - 1))
const scaled = (vector: Float32Array, by: number) => vector.map((number) => number * by)
const lengthOf = (vector: Float32Array) => Math.hypot(...vector)
const toHalf = (vector: Float32Array) => Float32Array.from(new Float16Array(vector))

test('the check of a vector holds for what engines keep of it: rounded to 16 bits, brought to length 1, or both', () => {
  for (let at = 0; at < 400; at++) {
    const vector = randomVector([1, 2, 3, 8, 256, 1024, 3072][at % 7]!, [1, 0.01, 300][at % 3]!)
    if (lengthOf(vector) === 0) continue
    const check = vectorCheck(vector)
    const unit = scaled(vector, 1 / lengthOf(vector))
    for (const kept of [vector, unit, toHalf(vector), toHalf(unit)]) assert.ok(meetsCheck(kept, check))
  }
  const zeros = new Float32Array(8)
  assert.ok(meetsCheck(zeros, vectorCheck(zeros)))
})

test('the check of a vector does not hold for another one, a part of it, a changed number, another length, or no number', () => {
  for (let at = 0; at < 400; at++) {
    const vector = randomVector([4, 8, 256, 1024][at % 4]!)
    const check = vectorCheck(vector)
    const place = vector.reduce(
      (best, one, index) => (Math.abs(one) > Math.abs(vector[best]!) ? index : best),
      0,
    )
    const others = [
      randomVector(vector.length),
      vector.toReversed(),
      vector.with(place, -vector[place]!),
      vector.with(place, 0),
      vector.with(place, Number.NaN),
      vector.subarray(1),
      scaled(vector, 3),
      scaled(vector, -1),
      new Float32Array(vector.length),
    ]
    for (const [index, other] of others.entries())
      assert.equal(meetsCheck(other, check), false, `${index} of ${vector.length}`)
  }
  assert.equal(meetsCheck(Float32Array.of(1), 'no check'), false)
})

test('the check of a vector is the same in every version', () => {
  assert.equal(vectorCheck(Float32Array.of(3, 0, -4, 0.5)), 'SsygQCIKUL5qUlK_ZfNKPyBhvz4')
})
