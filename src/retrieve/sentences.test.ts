import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentencesOf, wordsOf } from './sentences.ts'

const read = (text: string) => sentencesOf(text).map(({ from, to }) => text.slice(from, to))

test('sentencesOf() parts sentences, headings, list items and rows', () => {
  assert.deepEqual(read('# Fire\n\nThe word is Tern. Say it twice!\n\n- one\n- two\nname: Ada\nage: 36\n'), [
    '# Fire',
    'The word is Tern.',
    'Say it twice!',
    '- one',
    '- two',
    'name: Ada',
    'age: 36',
  ])
})

test('sentencesOf() keeps lines together that are wrapped at a margin', () => {
  const text =
    'The rinse nozzle was blocked by a small piece of\nlime that came loose in the winter. It was removed\nby hand.\n\nNext'
  assert.deepEqual(read(text), [
    'The rinse nozzle was blocked by a small piece of\nlime that came loose in the winter.',
    'It was removed\nby hand.',
    'Next',
  ])
})

test('sentencesOf() finds sentences in Chinese, Japanese, Hindi and Thai', () => {
  assert.deepEqual(read('黑豹队只丢了308分。他们有24次拦截！'), ['黑豹队只丢了308分。', '他们有24次拦截！'])
  assert.deepEqual(read('東大寺は奈良市にある。大仏は有名だ。'), ['東大寺は奈良市にある。', '大仏は有名だ。'])
  assert.deepEqual(read('यह एक है। वह दो है।'), ['यह एक है।', 'वह दो है।'])
  const thai = 'กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย และเป็นเมืองที่มีประชากรมากที่สุด '.repeat(4)
  const found = read(thai)
  assert.ok(found.length >= 3)
  assert.ok(found.every((piece) => piece.length <= 120))
})

test('sentencesOf() does not end a sentence after an abbreviation or an initial', () => {
  assert.deepEqual(read('The code word is "Mr. Tern" now. Ask J. R. Hall, e.g. Monday. See No. 4.'), [
    'The code word is "Mr. Tern" now.',
    'Ask J. R. Hall, e.g. Monday.',
    'See No. 4.',
  ])
})

test('sentencesOf() cuts very long sentences, and loses no character', () => {
  for (const text of ['word '.repeat(400), 'x'.repeat(2000), '字'.repeat(2000), '\u{1f600}'.repeat(500)]) {
    const found = read(text)
    assert.equal(found.join('').replace(/\s/g, ''), text.replace(/\s/g, ''))
  }
  assert.deepEqual(read(''), [])
  assert.deepEqual(read(' \n\r\n '), [])
})

test('wordsOf() finds words with spaces between them or not', () => {
  const read = (text: string) => wordsOf(text).map(({ from, to }) => text.slice(from, to))
  assert.deepEqual(read('Who signs, then?'), ['Who', 'signs', 'then'])
  assert.ok(read('東大寺は奈良市にある').length > 2)
})
