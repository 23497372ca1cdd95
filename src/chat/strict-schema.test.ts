import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonSchema } from '../contract/tool.ts'
import { isStrictSchema } from './strict-schema.ts'

const closed = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}
const open = { type: 'object', properties: { a: { type: 'string' } } }

for (const [schema, strict] of [
  [closed, true],
  [open, false],
  [{ ...closed, required: [] }, false],
  [{ ...closed, additionalProperties: true }, false],
  [{ type: 'object' }, false],
  [{ type: 'string' }, true],
  [{ type: 'array', items: closed }, true],
  [{ type: 'array', items: open }, false],
  [{ anyOf: [closed, { type: 'null' }] }, true],
  [{ anyOf: [closed, open] }, false],
  [{ ...closed, properties: { a: open } }, false],
] as [JsonSchema, boolean][])
  test(`isStrictSchema() is ${strict} for ${JSON.stringify(schema)}`, () =>
    assert.equal(isStrictSchema(schema), strict))
