import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleOf } from './sample.ts'

const items = Array.from({ length: 200 }, (_, at) => at)

test('sampleOf() takes so many items, in their order, the same ones for the same seed', () => {
  const some = sampleOf(items, 30, 7)
  assert.equal(new Set(some).size, 30)
  assert.deepEqual(
    some,
    some.toSorted((one, other) => one - other),
  )
  assert.deepEqual(sampleOf(items, 30, 7), some)
  assert.notDeepEqual(sampleOf(items, 30, 8), some)
  assert.ok(some.some((item) => item < 50) && some.some((item) => item >= 150))
})

test('sampleOf() takes all where there are not more', () => {
  assert.deepEqual(sampleOf(items, Infinity, 7), items)
  assert.deepEqual(sampleOf(items, 200, 7), items)
  assert.deepEqual(sampleOf([], 3, 7), [])
})
