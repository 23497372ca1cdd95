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

test('numberProblem() names the bound that a number does not keep', () => {
  assert.equal(numberProblem(0, { min: 1 }), 'The least is 1')
  assert.equal(numberProblem('11', { max: 10 }), 'The most is 10')
  assert.equal(numberProblem(1.5, { whole: true }), 'This is not a whole number')
  assert.equal(numberProblem(5, { min: 1, max: 10, whole: true }), undefined)
})
