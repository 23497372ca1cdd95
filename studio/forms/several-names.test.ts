import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesIn, valueOfNames } from './several-names.ts'

test('namesIn() reads a list, a list as text, and a text with commas', () => {
  assert.deepEqual(namesIn(['a', 'b']), ['a', 'b'])
  assert.deepEqual(namesIn('["a","b, c"]'), ['a', 'b, c'])
  assert.deepEqual(namesIn(' a, b ,'), ['a', 'b'])
  assert.deepEqual(namesIn('[a'), ['[a'])
  assert.deepEqual(namesIn(''), [])
  assert.deepEqual(namesIn(undefined), [])
})

test('valueOfNames() is what namesIn() reads', () => {
  assert.deepEqual(namesIn(valueOfNames(['GET /a', 'b, c'])), ['GET /a', 'b, c'])
  assert.equal(valueOfNames([]), '')
})
