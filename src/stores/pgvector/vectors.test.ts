import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitsHalf, readVector, vectorBytes } from './vectors.ts'

test('fitsHalf() refuses vectors whose numbers 16 bits would change by more than a thousandth of the largest', () => {
  const cases: [number[], boolean][] = [
    [[0, 0], true],
    [[0.5, -0.25], true],
    [[65_504, 1], true],
    [[65_505, 1], false],
    [[-70_000, 1], false],
    [[1e-5, 2e-6], false],
    [[0.002, 1e-9], true],
  ]
  for (const [numbers, fits] of cases)
    assert.equal(fitsHalf(Float32Array.from(numbers)), fits, String(numbers))
})

test('vectorBytes() writes what readVector() reads, and half of it for halfvec', () => {
  const vector = Float32Array.of(1, -0.5, 0.1)
  assert.deepEqual(readVector(vectorBytes('vector', vector)), vector)
  const half = vectorBytes('halfvec', vector)
  assert.equal(half.length, 4 + 3 * 2)
  const view = new DataView(half.buffer)
  assert.deepEqual([view.getUint16(0), view.getFloat16(4), view.getFloat16(6)], [3, 1, -0.5])
})
