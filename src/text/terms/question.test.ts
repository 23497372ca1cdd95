import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsAsked as weightsAsked } from './question.ts'

const termsAsked = (question: string): number[] => [...weightsAsked(question).keys()]

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
]

test('termsAsked() leaves out what only makes a question of words, by its language', () => {
  for (const [question, same] of rows) assert.deepEqual(termsAsked(question), termsAsked(same), question)
})

test('termsAsked() keeps stop words where there is nothing else, and within names', () => {
  assert.equal(termsAsked('to be or not to be').length, 4)
  assert.deepEqual(termsAsked('the who'), [...termsAsked('the'), ...termsAsked('who')])
  assert.equal(termsAsked('write to a@b.com').length, 1 + 4)
  assert.deepEqual(termsAsked('?!'), [])
})

test('termsAsked() never reads a question as syntax, and takes a long one as far as it goes', () => {
  assert.deepEqual(termsAsked('"gulf" AND (stream* NOT -near:x)'), termsAsked('gulf stream near:x'))
  const long = Array.from({ length: 5000 }, (_, i) => `word${i}`).join(' ')
  assert.equal(termsAsked(long).length, 128)
})

test('termsAsked() counts what is written in hiragana less than the words beside it', () => {
  const weights = (question: string) => [...weightsAsked(question).values()]
  const [whole, less] = [1, 0.3]
  assert.deepEqual(weights('東京'), [whole, whole, whole])
  assert.deepEqual(weights('東京に'), [whole, whole, whole, less])
  assert.deepEqual(weights('さくら'), [less, less])
})
