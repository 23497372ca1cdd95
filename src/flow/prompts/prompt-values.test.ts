import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InputError } from '../../cards/input-error.ts'
import type { JsonObject } from '../../kit/json.ts'
import { promptPieces } from './prompt-text.ts'
import { promptValuesField, questionValue } from './prompt-values.ts'

const { read } = promptValuesField()

test('promptValuesField() reads an object, JSON text, text with small mistakes and with places that have no quotes', () => {
  const expected = { text: '{{question}}', language: 'French' }
  for (const raw of [
    expected,
    JSON.stringify(expected),
    '{"text":"{{question}}", "language": "French",}',
    "{text: {{question}}, language: 'French'}",
  ])
    assert.deepEqual(read(raw), expected)
  assert.deepEqual(read('{"a": "two\nlines"}'), { a: 'two\nlines' })
})

test('promptValuesField() takes a line of the drawing for no value, and refuses what is no object', () => {
  assert.deepEqual(read(['{{llmChain_0.data.instance}}']), {})
  assert.throws(() => read('French'), /expected a JSON object/)
})

const ask = (text: string, values: JsonObject) =>
  questionValue(
    { nodeId: 'promptTemplate_0', messages: [{ role: 'user', pieces: promptPieces(text) }], values },
    'prompt',
  )

for (const [what, text, values, expected] of [
  ['the only name', '{product}', {}, 'product'],
  ['the only name without a value', '{a} {b}', { a: 'x' }, 'b'],
  ['none where all have values', '{a}', { a: '{{question}}' }, undefined],
  ['none of a text without names', 'Hello', {}, undefined],
  ['an empty value, as exports have it', '{a} {text}', { a: 'x', text: '' }, 'text'],
  ['the missing one, not an empty one', '{a} {b}', { a: '' }, 'b'],
  ['none of two empty ones', '{a} {b}', { a: '', b: '' }, undefined],
  ['no form of the answer', '{a}\n{format_instructions}', {}, 'a'],
  ['a name of every object', '{toString}', {}, 'toString'],
] as [string, string, JsonObject, string | undefined][])
  test(`questionValue() is ${what}`, () => assert.equal(ask(text, values), expected))

test('questionValue() names the node and all values where several are missing', () => {
  assert.throws(
    () => ask('{a} {b} {c}', { b: 'x' }),
    (error: unknown) =>
      error instanceof InputError &&
      error.input === 'prompt' &&
      /promptTemplate_0 has no values for a, c/.test(error.message),
  )
})
