import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heightOf, placeAt } from './scroll-anchors.ts'

const text = [
  { chunk: 0, top: 20, bottom: 120 },
  { chunk: 1, top: 120, bottom: 420 },
]
const list = [
  { chunk: 0, top: 0, bottom: 50 },
  { chunk: 1, top: 60, bottom: 110 },
]

test('placeAt() and heightOf() lead from a height in one column to the same place in another', () => {
  const other = (y: number) => heightOf(list, placeAt(text, y)!)
  assert.deepEqual([0, 20, 70, 120, 270, 900].map(other), [0, 0, 25, 60, 85, 110])
  assert.equal(placeAt([], 10), undefined)
  assert.equal(heightOf(list, { chunk: 7, share: 0 }), undefined)
})
