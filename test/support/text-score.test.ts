import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from './random.ts'
import { orderScore } from './text-score.ts'

/** The longest common subsequence by its definition. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const word of a) {
    const next = [0]
    for (const [index, other] of b.entries())
      next.push(word === other ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!))
    row = next
  }
  return row.at(-1)!
}

test('orderScore() is the longest common subsequence over the expected words, on texts of any length', () => {
  const below = randomBelow(7)
  for (const length of [1, 2, 31, 32, 33, 64, 65, 100, 257]) {
    const words = (count: number) => Array.from({ length: count }, () => `w${below(1 + (length >> 2))}`)
    const [got, wanted] = [words(below(length) + 1), words(length)]
    assert.equal(orderScore(got.join(' '), wanted.join(' ')), longestCommon(got, wanted) / length)
  }
})

test('orderScore() is 1 for the same words, and half for two halves in the wrong order', () => {
  assert.equal(orderScore('one two three four', 'One two, three four!'), 1)
  assert.equal(orderScore('three four one two', 'one two three four'), 0.5)
  assert.equal(orderScore('', 'one'), 0)
  assert.equal(orderScore('one', ''), 1)
})
