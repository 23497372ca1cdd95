import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuestionResult } from '../../contract/question-store.ts'
import { changeOf, failsNow } from './changed-results.ts'

const result = (
  place: number | null,
  ndcg10: number | null = place === null ? 0 : 1,
  question = 'q',
): QuestionResult => ({
  ...{ question, text: 't', place, ndcg10, recall10: ndcg10, ms: 1 },
})

test('a result is compared with the one before: by its place, then by nDCG', () => {
  for (const [now, before, wanted] of [
    [result(1), result(3), 'better'],
    [result(3), result(1), 'worse'],
    [result(null), result(9), 'worse'],
    [result(9), result(null), 'better'],
    [result(null), result(null), 'same'],
    [result(1, 0.6), result(1, 0.9), 'worse'],
    [result(1, 0.9), result(1, 0.6), 'better'],
    [result(1), undefined, 'new'],
    [result(1), result(null, null), 'new'],
    [result(null, null), result(1), 'uncounted'],
  ] as const)
    assert.equal(changeOf(now, before), wanted)
})

test('what passed and fails now is named; what is not counted does not fail', () => {
  const before = [result(1, 1, 'a'), result(2, 1, 'b'), result(null, 0, 'c'), result(1, 1, 'd')]
  const now = [
    result(null, 0, 'a'),
    result(4, 0.4, 'b'),
    result(null, 0, 'c'),
    result(null, null, 'd'),
    result(null, 0, 'e'),
  ]
  assert.deepEqual(
    failsNow(now, before).map(({ question }) => question),
    ['a'],
  )
})
