import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../kit/json.ts'
import { readObjectSchema } from './written-schema.ts'

const CASES: [what: string, written: JsonObject, schema: JsonObject][] = [
  [
    'types, what is required, and descriptions',
    {
      name: { type: 'string', required: true, description: 'Of the event' },
      seats: { type: 'integer', required: 'true' },
      open: { type: 'boolean', required: false },
      price: { type: 'number' },
    },
    {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Of the event' },
        seats: { type: 'integer' },
        open: { type: 'boolean' },
        price: { type: 'number' },
      },
      required: ['name', 'seats'],
    },
  ],
  [
    'what authors call types',
    { a: { type: 'Int' }, b: { type: 'float' }, c: { type: 'bool' }, d: { type: 'date' }, e: 'list', f: {} },
    {
      type: 'object',
      properties: {
        a: { type: 'integer' },
        b: { type: 'number' },
        c: { type: 'boolean' },
        d: { type: 'string' },
        e: { type: 'array', items: {} },
        f: { type: 'string' },
      },
    },
  ],
  [
    'lists, objects within, choices and defaults',
    {
      tags: { type: 'array', items: { type: 'string' } },
      place: { type: 'object', properties: { city: { type: 'string', required: true }, zip: 'string' } },
      size: { enum: ['s', 'm'], default: 's', required: true },
    },
    {
      type: 'object',
      properties: {
        tags: { type: 'array', items: { type: 'string' } },
        place: {
          type: 'object',
          properties: { city: { type: 'string' }, zip: { type: 'string' } },
          required: ['city'],
        },
        size: { enum: ['s', 'm'], default: 's' },
      },
    },
  ],
  [
    'JSON Schema as it is',
    { type: 'object', properties: { id: { type: ['string', 'null'] } }, required: ['id'], title: 'An event' },
    {
      type: 'object',
      title: 'An event',
      properties: { id: { type: ['string', 'null'] } },
      required: ['id'],
    },
  ],
  [
    'a field that is called type',
    { type: { type: 'string' } },
    { type: 'object', properties: { type: { type: 'string' } } },
  ],
]

for (const [what, written, schema] of CASES)
  test(`readObjectSchema() reads ${what}`, () => assert.deepEqual(readObjectSchema(written), schema))

test('readObjectSchema() names an invalid field', () => {
  assert.throws(() => readObjectSchema({ name: 5 }), /expected \{"type": …\} for name/)
})
