import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partedWordsOf } from './half-spaces.ts'
import { termsOf } from './question.ts'

test('partedWordsOf() gives words with a half-space and pairs of words, with the terms of their other spellings', () => {
  const rows: [question: string, words: [typed: string, otherwise: string[]][]][] = [
    ['کتاب‌خانه', [['کتاب‌خانه', ['کتاب', 'خانه']]]],
    // A part that is a stop word is no other spelling.
    ['می‌شود', []],
    ['می‌نویسد', [['می‌نویسد', ['نویسد']]]],
    ['کتاب خانه', [['کتاب خانه', ['کتاب‌خانه']]]],
    ['کتاب, خانه', []],
    ['file name', []],
    ['حفظ‌‌ کتاب', []],
  ]
  for (const [question, words] of rows) {
    const found = partedWordsOf(question)
    assert.deepEqual(
      found.map(({ typed, otherwise }) => [typed, otherwise.map(({ written }) => written)]),
      words,
      question,
    )
    for (const { otherwise } of found)
      for (const { written, term } of otherwise) assert.deepEqual(termsOf(written), new Set([term]))
  }
})
