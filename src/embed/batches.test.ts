import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf } from './batches.ts'
import { cutToTokens, estimateTokens } from './token-estimate.ts'

const limits = { texts: 3, bytes: 100, tokens: 50 }
const sizes = (texts: string[]) => [...batchesOf(texts, limits)].map((batch) => batch.length)

test('batchesOf() fills calls by count, by bytes and by tokens', () => {
  assert.deepEqual(sizes([]), [])
  assert.deepEqual(sizes(['a', 'b', 'c', 'd']), [3, 1])
  assert.deepEqual(sizes(['a'.repeat(60), 'b'.repeat(40), 'c']), [2, 1])
  assert.deepEqual(sizes(['!'.repeat(30), '!'.repeat(20), '!']), [2, 1])
})

test('batchesOf() gives a text that is too large a call of its own', () => {
  assert.deepEqual(sizes(['a', 'b'.repeat(500), 'c']), [1, 1, 1])
})

test('batchesOf() counts the bytes of UTF-8', () => {
  assert.deepEqual(sizes(['é'.repeat(40), 'é'.repeat(11)]), [1, 1])
})

test('estimateTokens() counts four letters, two digits or one other character as a token', () => {
  for (const [text, tokens] of [
    ['', 0],
    ['word', 1],
    ['four words of text', 5],
    ['123456', 3],
    ['{}[]', 4],
    ['漢字', 2],
  ] as const)
    assert.equal(estimateTokens(text), tokens, text)
})

test('cutToTokens() keeps as much as fits, and never half a character', () => {
  assert.equal(cutToTokens('short', 10), 'short')
  assert.equal(cutToTokens('abcdefghij', 2), 'abcdefgh')
  assert.equal(cutToTokens('a😀b', 2), 'a')
  assert.ok(estimateTokens(cutToTokens('mixed 12345 {json: "text"} '.repeat(50), 77)) <= 77)
})
