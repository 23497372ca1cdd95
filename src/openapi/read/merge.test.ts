import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../kit/json.ts'
import { mergeSchemas } from './merge.ts'

for (const [what, one, other, expected] of [
  [
    'limits, the narrower',
    { minimum: 1, maxLength: 9 },
    { minimum: 2, maxLength: 5 },
    { minimum: 2, maxLength: 5 },
  ],
  ['types that both allow', { type: ['string', 'null'] }, { type: 'string' }, { type: 'string' }],
  ['a number and a whole number', { type: 'number' }, { type: 'integer' }, { type: 'integer' }],
  [
    'types that exclude one another, of which the first is used',
    { type: 'string' },
    { type: 'integer' },
    { type: 'string' },
  ],
  ['values that both list', { enum: [1, 2] }, { enum: [2, 3] }, { enum: [2] }],
  [
    'descriptions, of which the first is used',
    { description: 'a' },
    { description: 'b' },
    { description: 'a' },
  ],
  [
    'properties of one name',
    { properties: { a: { minLength: 1 } } },
    { properties: { a: { maxLength: 2 }, b: {} } },
    { properties: { a: { minLength: 1, maxLength: 2 }, b: {} } },
  ],
  ['required names', { required: ['a'] }, { required: ['b', 'a'] }, { required: ['a', 'b'] }],
  [
    'alternatives, side by side',
    { anyOf: [{ type: 'string' }] },
    { anyOf: [{ minLength: 1 }] },
    { anyOf: [{ type: 'string' }], allOf: [{ anyOf: [{ minLength: 1 }] }] },
  ],
  [
    'closed objects with different properties',
    { properties: { a: {} }, additionalProperties: false },
    { properties: { b: {} } },
    { properties: { a: {}, b: {} } },
  ],
] as [string, JsonObject, JsonObject, JsonObject][])
  test(`mergeSchemas() joins ${what}`, () => {
    assert.deepEqual(mergeSchemas([one, other]), expected)
  })
