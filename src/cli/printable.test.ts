import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayWidth, printable, shorten, wrap } from './printable.ts'

test('printable() replaces control characters and keeps the rest of a text', () => {
  assert.equal(printable('a\u001b[2Jb\r\nc\u009bd\u202ee'), 'a [2Jb  c d e')
  assert.equal(printable('Grüße, 東京, 👍🏽'), 'Grüße, 東京, 👍🏽')
})

test('displayWidth() counts columns, not code units', () => {
  assert.equal(displayWidth('abc'), 3)
  assert.equal(displayWidth('e\u0301'), 1)
  assert.equal(displayWidth('東京'), 4)
  assert.equal(displayWidth('😀'), 2)
})

test('shorten() keeps a text that fits and ends a cut one with an ellipsis', () => {
  assert.equal(shorten('abcdef', 6), 'abcdef')
  assert.equal(shorten('abcdefg', 6), 'abcde…')
  assert.equal(shorten('東京都', 5), '東京…')
})

test('wrap() breaks between words, keeps the indent, and cuts a word that is too long', () => {
  assert.deepEqual(wrap('  one two three', 9), ['  one two', 'three'])
  assert.deepEqual(wrap('abcdefghij kl', 6), ['abcde…', 'kl'])
  assert.deepEqual(wrap('東京 都庁', 6), ['東京', '都庁'])
  assert.deepEqual(wrap('', 6), [''])
})
