import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findParts } from './find-parts.ts'

test('findParts() marks each place of the words in any case, and loses no character', () => {
  assert.deepEqual(
    findParts('A (b) and (B)', '(b)').map(({ text, found }) => [text, found]),
    [
      ['A ', false],
      ['(b)', true],
      [' and ', false],
      ['(B)', true],
    ],
  )
  assert.deepEqual(findParts('none', 'x'), [{ text: 'none', start: 0, found: false }])
  assert.deepEqual(findParts('all', undefined), [{ text: 'all', start: 0, found: false }])
})
