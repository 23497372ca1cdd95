import assert from 'node:assert/strict'
import { test } from 'node:test'
import { questionTerms } from './question.ts'

const termList = (question: string): number[] => [...questionTerms(question).keys()]

const rows: [question: string, same: string][] = [
  ['What is the height of the tower?', 'height tower'],
  ['Wie hoch ist der Turm?', 'hoch Turm'],
  ['Quelle est la hauteur de la tour ?', 'hauteur tour'],
  ['¿Cuál es la altura de la torre?', 'altura torre'],
  ['Qual é a altura da torre?', 'altura torre'],
  ['ما هو ارتفاع البرج؟', 'ارتفاع البرج'],
  ['मीनार की ऊंचाई क्या है', 'मीनार ऊंचाई'],
  ['Какая высота у башни?', 'высота башни'],
  ['长城是什么时候建成的？', '长城 时候建成的'],
  ['萬里長城在哪裡？', '萬里長城在'],
  ['東京の首都はどこですか', '東京の首都は ですか'],
  ['When did the war in the west end?', 'war west end'],
  ['die hard', 'die hard'],
  ['prodigal son', 'prodigal son'],
  ['tower tower', 'tower'],
  ['Ai là tác giả của Truyện Kiều?', 'tác giả Truyện Kiều'],
  ['Chiến dịch Điện Biên Phủ kết thúc khi nào?', 'Chiến dịch Điện Biên Phủ kết thúc'],
]

test('questionTerms() leaves out the stop words of its language', () => {
  for (const [question, same] of rows) assert.deepEqual(termList(question), termList(same), question)
})

test('questionTerms() keeps stop words if there are no other words, and within names', () => {
  assert.equal(termList('to be or not to be').length, 4)
  assert.deepEqual(termList('the who'), [...termList('the'), ...termList('who')])
  assert.equal(termList('write to a@b.com').length, 1 + 4)
  assert.deepEqual(termList('?!'), [])
})

test('questionTerms() never reads a question as syntax, and uses the first terms of a long one', () => {
  assert.deepEqual(termList('"gulf" AND (stream* NOT -near:x)'), termList('gulf stream near:x'))
  const long = Array.from({ length: 5000 }, (_, i) => `word${i}`).join(' ')
  assert.equal(termList(long).length, 128)
})

test('questionTerms() gives hiragana less weight than the words beside it', () => {
  const weights = (question: string) => [...questionTerms(question).values()]
  const [whole, less] = [1, 0.3]
  assert.deepEqual(weights('東京'), [whole, whole, whole])
  assert.deepEqual(weights('東京に'), [whole, whole, whole, less])
  assert.deepEqual(weights('さくら'), [less, less])
})

test('questionTerms() counts what a long question repeats, with less weight each time [search:repeated-terms]', () => {
  const filler = Array.from({ length: 24 }, (_, i) => `word${String.fromCharCode(97 + i)}`).join(' ')
  const [heron] = termList('heron') as [number]
  const [otter] = termList('otter') as [number]
  const weightsOf = (question: string) => {
    const weights = questionTerms(question)
    return [weights.get(heron), weights.get(otter)]
  }
  assert.deepEqual(weightsOf(`heron otter ${filler}`), [1, 1])
  assert.deepEqual(weightsOf(`heron otter ${filler} herons`), [1.5, 1])
  assert.deepEqual(weightsOf(`heron otter ${filler} herons heron the heron`), [2, 1])
  // A short question repeats words for its grammar.
  assert.deepEqual(weightsOf('which heron, of all the herons, is an otter'), [1, 1])
})
