import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownParts, thousandthsOf } from './score-total.ts'

test('shown parts add up to the shown sum, also where each is rounded [query:explain]', () => {
  assert.deepEqual(thousandthsOf([0.0004, 0.0004, 0.0004]), [1, 0, 0])
  assert.deepEqual(thousandthsOf([-0.0114, 0.0136]), [-11, 13])
  for (let round = 1; round < 200; round++) {
    const numbers = Array.from({ length: 7 }, (_, at) => Math.sin(round * 7 + at) / 3)
    const sum = thousandthsOf(numbers).reduce((all, one) => all + one, 0)
    assert.equal(sum, Math.round(numbers.reduce((all, one) => all + one, 0) * 1000) || 0)
  }
})

test('a part is shown as the same number whatever is shown beside it [query:explain]', () => {
  const { of, sum } = shownParts({ offset: -0.0104, keyword: 0.1266, vector: 0.2225 })
  assert.deepEqual(
    [...of],
    [
      ['vector', 222],
      ['keyword', 127],
      ['offset', -10],
    ],
  )
  assert.equal(sum, 339)
})
