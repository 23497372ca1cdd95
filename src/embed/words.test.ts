import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { eachWord } from './words.ts'

const CJK = '\\u3005-\\u3007\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const WORD = new RegExp(`([${CJK}]+)|\\p{N}+|(?:(?![${CJK}])[\\p{L}\\p{M}])+|\\p{So}`, 'gu')

type Word = [from: number, to: number, isCjk: boolean]

/** The words by the pattern that defines them. */
const wordsByPattern = (text: string): Word[] =>
  Array.from(text.matchAll(WORD), (match) => [
    match.index,
    match.index + match[0].length,
    match[1] !== undefined,
  ])

function wordsOf(text: string): Word[] {
  const words: Word[] = []
  eachWord(text, (...word) => words.push(word))
  return words
}

test('eachWord() visits the words of every character beside one of every kind', () => {
  for (let first = 0; first <= 0x10ffff; first += 512) {
    const text = Array.from(
      { length: 512 },
      (_, at) => `${['a', '1', '東', '😀', ' ', '〇'][at % 6]}${String.fromCodePoint(first + at)}`,
    ).join('')
    assert.deepEqual(wordsOf(text), wordsByPattern(text), `from U+${first.toString(16)}`)
  }
})

test('eachWord() visits the words of random texts, half characters too', () => {
  const below = randomBelow(7)
  const pieces = [
    'a',
    'é',
    'ß',
    '1',
    '٣',
    '〇',
    '東',
    '京',
    'カ',
    '゙',
    '́',
    '😀',
    '☃',
    '𠀀',
    '\ud83d',
    '\ude00',
    ' ',
    '-',
    'क',
    'ि',
    'ไ',
  ]
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: below(30) }, () => pieces[below(pieces.length)]).join('')
    assert.deepEqual(wordsOf(text), wordsByPattern(text), JSON.stringify(text))
  }
})
