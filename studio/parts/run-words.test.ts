import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passedText } from './run-words.ts'

test('passedText() says one thing in the singular', () => {
  const line = { from: 'a', to: 'b', items: [] }
  assert.equal(passedText({ ...line, unit: 'calls', count: 1 }), '1 call')
  assert.equal(passedText({ ...line, unit: 'chunks', count: 2140 }), '2,140 chunks')
})
