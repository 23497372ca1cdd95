import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../kit/json.ts'
import { createReferences } from './references.ts'
import { toModelSchema } from './schema.ts'

/** A schema as the model sees it, with others that it may refer to, and the notes about it. */
function modelSchema(schema: unknown, schemas: JsonObject = {}) {
  const references = createReferences(new Map([['doc:/a', { schemas }]]))
  const notes: string[] = []
  return {
    schema: toModelSchema(schema, 'doc:/a', {
      references,
      known: new WeakMap(),
      note: (reason) => notes.push(reason),
    }),
    notes,
  }
}

const ref = (name: string) => ({ $ref: `#/schemas/${name}` })

const SCHEMAS: JsonObject = {
  Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  Cat: {
    allOf: [ref('Pet'), { type: 'object', required: ['claws'], properties: { claws: { type: 'integer' } } }],
  },
  Tree: {
    type: 'object',
    properties: { leaf: { type: 'string' }, kids: { type: 'array', items: ref('Tree') } },
  },
  One: ref('Two'),
  Two: ref('One'),
  Stamp: { type: 'string', readOnly: true },
}

for (const [what, given, expected] of [
  [
    'plain keywords',
    { type: 'string', minLength: 1, example: 'x', xml: {} },
    { type: 'string', minLength: 1 },
  ],
  [
    'nullable of 3.0',
    { type: 'string', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  ['x-nullable of 2.0', { type: 'integer', 'x-nullable': true }, { type: ['integer', 'null'] }],
  ['lists of types of 3.1', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
  ['const', { const: 1 }, { enum: [1] }],
  [
    'exclusive limits',
    { type: 'number', minimum: 1, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 1 },
  ],
  [
    'inclusive limits',
    { type: 'number', maximum: 1, exclusiveMaximum: false },
    { type: 'number', maximum: 1 },
  ],
  ['files of 2.0', { type: 'file' }, { type: 'string', format: 'binary' }],
  ['words for types of other languages', { type: 'float' }, { type: 'number' }],
  [
    'the implied type of a schema with properties',
    { properties: { a: {} } },
    { type: 'object', properties: { a: {} } },
  ],
  [
    'a default and a title',
    { type: 'boolean', default: false, title: 'Fast' },
    { type: 'boolean', default: false, description: 'Fast' },
  ],
  [
    'a pattern with an example',
    { type: 'string', pattern: '^a+$', example: 'aa' },
    { type: 'string', pattern: '^a+$', examples: ['aa'] },
  ],
  ['no invalid pattern', { type: 'string', pattern: '(' }, { type: 'string' }],
  [
    'required in the notation of draft 3',
    { properties: { a: { type: 'string', required: true } } },
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  ],
  [
    'true and false',
    { properties: { a: true, b: false } },
    { type: 'object', properties: { a: {}, b: { not: {} } } },
  ],
  [
    'a tuple',
    { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    { type: 'array', prefixItems: [{ type: 'string' }], items: false },
  ],
  [
    'a reference with a description beside it',
    { ...ref('Pet'), description: 'The pet' },
    { ...(SCHEMAS.Pet as JsonObject), description: 'The pet' },
  ],
  [
    'a reference with other keywords beside it',
    { ...ref('Pet'), required: ['age'] },
    { ...(SCHEMAS.Pet as JsonObject), required: ['age', 'name'] },
  ],
  [
    'allOf as one',
    ref('Cat'),
    {
      type: 'object',
      required: ['name', 'claws'],
      properties: { name: { type: 'string' }, claws: { type: 'integer' } },
    },
  ],
  [
    'oneOf as anyOf',
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  ],
  ['a single alternative without anyOf', { anyOf: [{ type: 'string' }] }, { type: 'string' }],
  ['not', { type: 'string', not: { enum: ['x'] } }, { type: 'string', not: { enum: ['x'] } }],
  [
    'no readOnly properties',
    {
      properties: { id: ref('Stamp'), at: { type: 'string', readOnly: true }, a: {} },
      required: ['id', 'at'],
    },
    { type: 'object', properties: { a: {} } },
  ],
  [
    'maps',
    { type: 'object', additionalProperties: { type: 'number' } },
    { type: 'object', additionalProperties: { type: 'number' } },
  ],
] as [string, unknown, JsonObject][])
  test(`toModelSchema() writes ${what}`, () => {
    assert.deepEqual(modelSchema(given, SCHEMAS), { schema: expected, notes: [] })
  })

test('toModelSchema() names each alternative by its discriminator', () => {
  const discriminator = { propertyName: 'kind', mapping: { katze: '#/schemas/Cat' } }
  const { schema } = modelSchema({ oneOf: [ref('Pet'), ref('Cat')], discriminator }, SCHEMAS)
  const kinds = (schema.anyOf as JsonObject[]).map(({ properties }) => (properties as JsonObject).kind)
  assert.deepEqual(kinds, [
    { type: 'string', enum: ['Pet'] },
    { type: 'string', enum: ['katze'] },
  ])
})

test('toModelSchema() uses the name that an alternative already has', () => {
  const named = (kind: string) => ({ type: 'object', properties: { kind: { type: 'string', enum: [kind] } } })
  const { schema } = modelSchema(
    { oneOf: [ref('A'), ref('B')], discriminator: { propertyName: 'kind' } },
    { A: named('a'), B: named('b') },
  )
  const kinds = (schema.anyOf as JsonObject[]).map(({ properties }) => (properties as JsonObject).kind)
  assert.deepEqual(
    kinds.map((kind) => (kind as JsonObject).enum),
    [['a'], ['b']],
  )
})

test('toModelSchema() cuts a schema that recurs inside itself', () => {
  const { schema } = modelSchema(ref('Tree'), SCHEMAS)
  assert.deepEqual(schema, {
    type: 'object',
    properties: { leaf: { type: 'string' }, kids: { type: 'array', items: { type: 'object' } } },
  })
})

for (const [what, schema, note] of [
  ['references in a circle', ref('One'), /refers to itself/],
  ['a reference without a target', ref('None'), /does not exist/],
  ['a reference to another document', { $ref: 'https://example.com/x.json#/a' }, /not loaded/],
  ['a keyword that models do not see', { if: {}, type: 'string' }, /keyword if/],
] as const)
  test(`toModelSchema() notes ${what}`, () => {
    assert.match(modelSchema(schema, SCHEMAS).notes.join(), note)
  })

test('toModelSchema() keeps less of a schema that is too long, and always what is required', () => {
  const wide = (depth: number): JsonObject =>
    depth === 0
      ? { type: 'string', description: 'x'.repeat(100) }
      : {
          type: 'object',
          required: ['r'],
          properties: Object.fromEntries(['r', 'a', 'b', 'c', 'd'].map((name) => [name, wide(depth - 1)])),
        }
  const { schema, notes } = modelSchema(wide(6))
  assert.deepEqual(notes, [])
  assert.ok(JSON.stringify(schema).length <= 16_000)
  let inner = schema
  for (let depth = 0; depth < 6; depth++) inner = (inner.properties as Record<string, JsonObject>).r!
  assert.equal(inner.type, 'string')
})

test('toModelSchema() bounds schemas that multiply', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 40 }, (_, level): [string, JsonObject] => [
      `L${level}`,
      level === 0
        ? { type: 'string' }
        : { anyOf: [ref(`L${level - 1}`), { type: 'array', items: ref(`L${level - 1}`) }] },
    ]),
  )
  assert.ok(JSON.stringify(modelSchema(ref('L39'), schemas).schema).length <= 16_000)
})
