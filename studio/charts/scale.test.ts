import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisText, millisecondsText, pathOf, placeOf, ticksTo } from './scale.ts'

test('ticksTo() gives round numbers that reach the largest value', () => {
  assert.deepEqual(ticksTo(0), [0, 1])
  assert.deepEqual(ticksTo(7), [0, 2, 4, 6, 8])
  assert.deepEqual(ticksTo(13_877), [0, 5000, 10_000, 15_000])
  assert.deepEqual(ticksTo(0.3), [0, 0.1, 0.2, 0.3])
})

test('placeOf() places a value between two ends, and the only value in the middle', () => {
  assert.equal(placeOf(5, [0, 10], 100, 200), 150)
  assert.equal(placeOf(5, [5, 5], 0, 10), 5)
})

test('pathOf() draws lines, or steps that keep the value until the next point', () => {
  const points = [
    { x: 0, y: 1 },
    { x: 2, y: 3 },
  ]
  assert.equal(pathOf(points), 'M0,1L2,3')
  assert.equal(pathOf(points, true), 'M0,1H2V3')
  assert.equal(pathOf([]), '')
})

test('axisText() and millisecondsText() are short', () => {
  assert.deepEqual([axisText(0), axisText(1200), axisText(13_877)], ['0', '1.2K', '13.9K'])
  assert.deepEqual([0, 0.4, 12.3, 3400, 120_000].map(millisecondsText), [
    '0',
    '0.4 ms',
    '12 ms',
    '3.4 s',
    '2 min',
  ])
})
