import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cosine } from './cosine.ts'

for (const [a, b, expected] of [
  [[1, 0], [1, 0], 1],
  [[1, 0], [7, 0], 1],
  [[1, 0], [0, 1], 0],
  [[1, 0], [-2, 0], -1],
  [[3, 4], [4, 3], 0.96],
  [[1e-20, 0], [1e-20, 0], 1],
] as const)
  test(`cosine() of [${a}] and [${b}] is ${expected}`, () => {
    const found = cosine(Float32Array.from(a), Float32Array.from(b))
    assert.ok(found !== null && Math.abs(found - expected) < 1e-12, `${found}`)
  })

test('cosine() is null for a vector of zeros', () => {
  const zeros = new Float32Array(2)
  assert.equal(cosine(zeros, Float32Array.of(1, 1)), null)
  assert.equal(cosine(Float32Array.of(1, 1), zeros), null)
})
