import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonSchema } from '../contract/tool.ts'
import type { Json } from '../kit/json.ts'
import { readToolInput } from './tool-input.ts'

const read = (value: Json, schema: JsonSchema) =>
  readToolInput(JSON.stringify({ x: value }), { type: 'object', properties: { x: schema }, required: ['x'] })
    .x

const MENDED: [written: Json, schema: JsonSchema, read: Json][] = [
  ['5', { type: 'integer' }, 5],
  [' 2.5 ', { type: 'number' }, 2.5],
  [true, { type: 'number' }, 1],
  [5, { type: 'string' }, '5'],
  [false, { type: 'string' }, 'false'],
  [{ a: [1] }, { type: 'string' }, '{"a":[1]}'],
  ['Yes', { type: 'boolean' }, true],
  ['0', { type: 'boolean' }, false],
  [1, { type: 'boolean' }, true],
  ['[1, 2]', { type: 'array', items: { type: 'integer' } }, [1, 2]],
  ["['1', 2,]", { type: 'array', items: { type: 'integer' } }, [1, 2]],
  [{ 0: 'a', 1: 'b' }, { type: 'array' }, ['a', 'b']],
  ['a', { type: 'array', items: { type: 'string' } }, ['a']],
  [{ a: 1 }, { type: 'array' }, [{ a: 1 }]],
  ['{"n": "5"}', { type: 'object', properties: { n: { type: 'integer' } } }, { n: 5 }],
  [
    { n: null, m: null },
    { type: 'object', properties: { n: { type: 'integer' }, m: { type: ['string', 'null'] } } },
    { m: null },
  ],
  ['5', { type: ['integer', 'null'] }, 5],
  [null, { type: ['integer', 'null'] }, null],
  ['5', { type: ['string', 'integer'] }, '5'],
  ['5', {}, '5'],
  ['05', { type: 'string' }, '05'],
]
for (const [written, schema, expected] of MENDED)
  test(`readToolInput() reads ${JSON.stringify(written)} as ${JSON.stringify(schema.type ?? 'anything')}`, () =>
    assert.deepEqual(read(written, schema), expected))

for (const [written, schema, reason] of [
  ['five', { type: 'integer' }, /x: .*number/],
  ['5.5', { type: 'integer' }, /x: .*int/],
  ['perhaps', { type: 'boolean' }, /x: .*boolean/],
  ['a', { enum: ['b', 'c'] }, /x: .*"b"\|"c"/],
  [null, { type: 'string' }, /x: .*string/],
] as [Json, JsonSchema, RegExp][])
  test(`readToolInput() tells the model why ${JSON.stringify(written)} does not fit ${JSON.stringify(schema)}`, () => {
    assert.throws(() => read(written, schema), { message: reason })
  })

const HOSTILE = { type: 'string', pattern: '^(a+)+$', maxLength: 60 }

for (const [where, schema, value] of [
  ['of a text', HOSTILE, (text: string) => text],
  ['within a list', { anyOf: [{ type: 'array', items: HOSTILE }] }, (text: string) => [text]],
  [
    'of a field of that name',
    { type: 'object', properties: { pattern: HOSTILE } },
    (text: string) => ({ pattern: text }),
  ],
] as [string, JsonSchema, (text: string) => Json][])
  test(`readToolInput() does not check the pattern ${where}, but checks the rest`, () => {
    const text = `${'a'.repeat(50)}!`
    assert.deepEqual(read(value(text), schema), value(text))
    assert.throws(() => read(value(text.repeat(2)), schema), /x.*: /)
  })

test('readToolInput() does not validate a schema with patternProperties', () => {
  const schema = { type: 'object', patternProperties: { '^(a+)+$': {} }, additionalProperties: false }
  assert.deepEqual(read({ aaa: 1 }, schema), { aaa: 1 })
})

test('readToolInput() reads an empty text as an empty object, and refuses what is not an object', () => {
  assert.deepEqual(readToolInput(' ', { type: 'object' }), {})
  for (const written of ['{"x": 1', '[1]', '"x"'])
    assert.throws(() => readToolInput(written, { type: 'object' }), /not a JSON object/)
})
