import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf, markedText } from './marked-text.ts'

const TEXT = 'Tea is hot. The ferry leaves at noon. Dogs are welcome.'
const HIGHLIGHT = { from: 12, to: 37, words: [{ from: 16, to: 21 }] }

test('markedText() marks the sentence and the words of the question in it', () => {
  assert.deepEqual(
    markedText(TEXT, HIGHLIGHT).map(({ text, sentence, word }) => [text, sentence, word]),
    [
      ['Tea is hot. ', false, false],
      ['The ', true, false],
      ['ferry', true, true],
      [' leaves at noon.', true, false],
      [' Dogs are welcome.', false, false],
    ],
  )
  assert.deepEqual(markedText(TEXT, null), [{ text: TEXT, sentence: false, word: false }])
})

test('excerptOf() keeps the marked sentence of a long chunk, with its range moved along', () => {
  const long = `${'Some words before it. '.repeat(50)}${TEXT}${' More words after it.'.repeat(50)}`
  const at = 22 * 50
  const moved = { from: at + 12, to: at + 37, words: [{ from: at + 16, to: at + 21 }] }
  const { text, highlight, cut } = excerptOf(long, moved, 200)
  assert.ok(cut && text.length < 260)
  assert.equal(text.slice(highlight!.from, highlight!.to), 'The ferry leaves at noon.')
  assert.equal(text.slice(highlight!.words[0]!.from, highlight!.words[0]!.to), 'ferry')
  assert.deepEqual(excerptOf(TEXT, HIGHLIGHT, 200), { text: TEXT, highlight: HIGHLIGHT, cut: false })
})
