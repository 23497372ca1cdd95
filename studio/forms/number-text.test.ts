import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberOfText, numberProblem } from './number-text.ts'

test('numberOfText() stores numbers, nothing for an empty text, and keeps what is not a number', () => {
  assert.deepEqual(['1000', ' 0.5 ', '', '-', '1e3', 'abc'].map(numberOfText), [
    1000,
    0.5,
    '',
    '-',
    1000,
    'abc',
  ])
})

test('numberProblem() takes numbers as numbers and as text, and leaves variables to the run', () => {
  for (const value of [undefined, null, '', 5, '5', '0.5', '{{$vars.top}}'])
    assert.equal(numberProblem(value), undefined)
  assert.equal(numberProblem('abc'), 'expected a number, received "abc"')
})
