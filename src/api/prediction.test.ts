import assert from 'node:assert/strict'
import { test } from 'node:test'
import { predictionBody } from './prediction.ts'

const takes = (body: object) => predictionBody.safeParse(body).success

test('predictionBody reads messages of new and of old clients', () => {
  const { history } = predictionBody.parse({
    history: [
      { role: 'userMessage', content: 'a' },
      { role: 'assistant', content: 'b' },
      { type: 'Human', message: 'c' },
      { type: 'apiMessage', message: 'd' },
      { role: 'my user', content: 'e' },
    ],
  })
  assert.deepEqual(
    history?.map(({ role, content }) => [role, content]),
    [
      ['userMessage', 'a'],
      ['apiMessage', 'b'],
      ['userMessage', 'c'],
      ['apiMessage', 'd'],
      ['apiMessage', 'e'],
    ],
  )
  for (const message of [{}, { role: 'user' }, { role: 'user', message: 'x' }, { type: 'user', message: 1 }])
    assert.equal(takes({ history: [message] }), false, JSON.stringify(message))
})

test('predictionBody reads a flag as JSON or as the text of a form', () => {
  for (const [streaming, flag] of [
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
    ['', false],
    [null, null],
  ] as const)
    assert.equal(predictionBody.parse({ streaming }).streaming, flag)
  for (const streaming of ['yes', 1]) assert.equal(takes({ streaming }), false)
})

test('predictionBody takes a question or a form', () => {
  const form = { topic: 'x' }
  for (const body of [{}, { question: 'x' }, { form }, { question: '', form }, { question: null, form }])
    assert.ok(takes(body))
  assert.equal(takes({ question: 'x', form }), false)
  assert.equal(takes({ form: [] }), false)
})

test('predictionBody has bounds', () => {
  const upload = { type: 'file', name: 'a' }
  for (const [field, most, more] of [
    ['question', 'x'.repeat(1_000_000), 'x'.repeat(1_000_001)],
    ['chatId', 'x'.repeat(255), 'x'.repeat(256)],
    ['leadEmail', 'x'.repeat(1000), 'x'.repeat(1001)],
    ['history', Array(1000).fill({ role: 'a', content: '' }), Array(1001).fill({ role: 'a', content: '' })],
    ['uploads', Array(20).fill(upload), Array(21).fill(upload)],
    ['uploads', [{ ...upload, name: 'x'.repeat(1024) }], [{ ...upload, name: 'x'.repeat(1025) }]],
    ['uploads', [upload], [{ ...upload, name: '' }]],
    ['humanInput', { type: 'reject' }, { type: 'maybe' }],
  ] as const) {
    assert.ok(takes({ [field]: most }), field)
    assert.equal(takes({ [field]: more }), false, field)
  }
  assert.ok(takes({ chatId: '' }))
})
