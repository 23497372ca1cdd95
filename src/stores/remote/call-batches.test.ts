import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callBatches } from './call-batches.ts'

const sizes = (items: number[], limits: { count: number; bytes?: number }) =>
  [...callBatches(items, limits, (item) => item)].map((batch) => batch.join())

test('callBatches() keeps order, count and size, and sends an item that is too large alone', () => {
  assert.deepEqual(sizes([], { count: 2 }), [])
  assert.deepEqual(sizes([1, 2, 3], { count: 2 }), ['1,2', '3'])
  assert.deepEqual(sizes([4, 4, 4, 20, 1], { count: 10, bytes: 8 }), ['4,4', '4', '20', '1'])
})
