import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerForm } from '../../contract/answer-form.ts'
import { SluiceError } from '../../kit/errors.ts'
import { answerSchemaOf, formInstructions, readFormedAnswer } from './answer-form.ts'

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 5 },
    maxLength: { type: 'integer', description: 'a property with the name of a limit' },
  },
  required: ['title', 'maxLength'],
  additionalProperties: false,
}
const own = { nodeId: 'parser_0', repairs: false }
const json: AnswerForm = { ...own, type: 'json', schema }
const within: AnswerForm = {
  ...own,
  type: 'json',
  within: 'answer',
  schema: {
    type: 'object',
    properties: { answer: { type: 'array', items: { type: 'number' } } },
    required: ['answer'],
    additionalProperties: false,
  },
}
const list = (length?: number, separator = ','): AnswerForm => ({
  ...own,
  type: 'list',
  separator,
  ...(length === undefined ? {} : { length }),
})

for (const [form, text, expected] of [
  [json, '{"title": "Up", "maxLength": 3}', { title: 'Up', maxLength: 3 }],
  [
    json,
    'Here it is:\n```json\n{"title": "Up", "maxLength": "3", "more": 1}\n```\nDone.',
    { title: 'Up', maxLength: 3 },
  ],
  [json, "{title: 'Up', maxLength: 3,}", { title: 'Up', maxLength: 3 }],
  [json, 'Sure: {"title": "Up", "maxLength": 3}.', { title: 'Up', maxLength: 3 }],
  [within, '{"answer": [1, 2]}', [1, 2]],
  [within, '[1, "2"]', [1, 2]],
  [list(), ' red, green ,blue\n', ['red', 'green', 'blue']],
  [list(2, '; '), 'a;b', ['a', 'b']],
] as [AnswerForm, string, unknown][])
  test(`readFormedAnswer() reads ${JSON.stringify(text)}`, () =>
    assert.deepEqual(readFormedAnswer(form, text, 'Films'), expected))

for (const [form, text, reason] of [
  [json, 'I cannot say.', /it is not JSON/],
  [json, '"Up"', /it is not a JSON object/],
  [json, '{"title": "Up"}', /maxLength/],
  [json, '{"title": "Upside", "maxLength": 3}', /title/],
  [list(3), 'a, b', /it has 2 values in place of 3/],
] as [AnswerForm, string, RegExp][])
  test(`readFormedAnswer() refuses ${JSON.stringify(text)}, with the chain and the parser`, () => {
    assert.throws(
      () => readFormedAnswer(form, text, 'Films'),
      (error: unknown) =>
        error instanceof SluiceError &&
        error.code === 'answer_form_wrong' &&
        error.facts.node === 'Films' &&
        error.facts.nodeId === 'parser_0' &&
        reason.test(error.message),
    )
  })

test('answerSchemaOf() leaves out the limits that providers refuse, and keeps properties of their names', () => {
  assert.deepEqual(answerSchemaOf(json).answerSchema?.schema.properties, {
    title: { type: 'string' },
    maxLength: schema.properties.maxLength,
  })
  assert.deepEqual(answerSchemaOf(list()), {})
})

test('formInstructions() have the whole schema, and of a list its length and separator', () => {
  assert.ok(formInstructions(json).includes(JSON.stringify(schema)))
  assert.match(formInstructions(list(3, ' | ')), /exactly 3 values, with " \| " between them/)
})
