import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, promptsOf, textsOf, withPrompts } from './line-list.ts'

test('promptsOf() reads back what withPrompts() writes, and leaves out what is no prompt', () => {
  assert.deepEqual(promptsOf(withPrompts(['a', 'b'])), ['a', 'b'])
  assert.deepEqual(promptsOf({ 0: { prompt: 'a' }, 1: { other: 1 }, 2: null }), ['a'])
  assert.deepEqual(promptsOf(undefined), [])
})

test('linesOf() and textsOf() leave out what is empty or no text', () => {
  assert.deepEqual(linesOf(' https://a \n\n*\n'), ['https://a', '*'])
  assert.deepEqual(textsOf(['a', 1, null]), ['a'])
  assert.deepEqual(textsOf('a'), [])
})
