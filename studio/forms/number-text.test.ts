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

test('numberProblem() takes numbers as numbers and as text', () => {
  for (const value of [undefined, null, '', 5, '5', '0.5']) assert.equal(numberProblem(value), undefined)
  for (const value of ['abc', true, {}]) assert.equal(numberProblem(value), 'This is not a number')
})
