import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextGapAnswer } from '../../../../src/api/source-trace.ts'
import { missingRows, shareText, spanWithGaps } from './trace-text.ts'

const gap = (start: number, end: number, after: number): TextGapAnswer => ({
  ...{ start, end, after, characters: end - start, text: 'x'.repeat(end - start), reason: 'cut' },
})

test('shareText() says nothing is missing, or all is there, only where that is so', () => {
  const texts = [0, 0.000001, 0.0004, 0.0196, 0.2, 0.999, 0.9999999, 1].map(shareText)
  assert.deepEqual(texts, [
    '0 %',
    'less than 0.01 %',
    '0.04 %',
    '2 %',
    '20 %',
    '99.9 %',
    'more than 99.99 %',
    '100 %',
  ])
})

test('spanWithGaps() shows words in no chunk with the chunk before them and the one behind them', () => {
  const gaps = [gap(0, 4, 0), gap(20, 25, 1), gap(50, 56, 2), gap(90, 99, 4)]
  assert.deepEqual(spanWithGaps({ start: 5, end: 49 }, gaps, { first: 0, last: 2 }), { start: 0, end: 56 })
  assert.deepEqual(spanWithGaps({ start: 57, end: 89 }, gaps, { first: 2, last: 4 }), { start: 50, end: 99 })
})

test('missingRows() has both kinds in the order of the text, and what has no place last', () => {
  const picture = { kind: 'picture' as const, count: 1, text: '1 picture', more: false, place: null }
  const rows = missingRows({
    gaps: { data: [gap(7, 9, 1), gap(30, 31, 2)], total: 2 },
    dropped: [
      { ...picture, position: null },
      { ...picture, position: { start: 8, end: 8 } },
    ],
  })
  assert.deepEqual(
    rows.map(({ position }) => position),
    [7, 8, 30, undefined],
  )
})
