import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../kit/json.ts'
import { parseFilter } from '../../vector/filter.ts'
import { filterOfQdrant } from './qdrant-filter.ts'

const field = (key: string, more: JsonObject) => ({ key: `metadata.${key}`, ...more })

test('filterOfQdrant() turns must, should and must_not into a filter of this server', () => {
  for (const [qdrant, ours] of [
    [{}, {}],
    [{ must: [field('n', { match: { value: 1 } })] }, { n: { $eq: 1 } }],
    [{ must: field('n', { range: { gte: 1, lt: null } }) }, { n: { $gte: 1 } }],
    [
      { should: [field('a', { match: { any: [1, 2] } }), field('b.c', { match: { value: true } })] },
      { $or: [{ a: { $in: [1, 2] } }, { 'b.c': { $eq: true } }] },
    ],
    [{ must_not: [field('a', { match: { value: 'x' } })] }, { $not: { a: { $eq: 'x' } } }],
    [
      { must: [{ should: [field('a', { match: { value: 1 } })] }, field('b', { match: { value: 2 } })] },
      { $and: [{ $or: [{ a: { $eq: 1 } }] }, { b: { $eq: 2 } }] },
    ],
    [{ must: [{ is_null: { key: 'metadata.a' } }] }, { a: null }],
  ] as [JsonObject, JsonObject][]) {
    assert.deepEqual(filterOfQdrant(qdrant, 'metadata'), ours)
    parseFilter(ours)
  }
})

test('filterOfQdrant() refuses what it cannot express, and never drops it', () => {
  for (const [filter, reason] of [
    [{ min_should: {} }, /min_should/],
    [{ must: [field('a', { geo_radius: {} })] }, /geo_radius/],
    [{ must: [field('a', { match: { text: 'x' } })] }, /match text/],
    [{ must: [{ has_id: [1] }] }, /has_id/],
    [{ must: [{ key: 'other', match: { value: 1 } }] }, /begin with metadata/],
  ] as [JsonObject, RegExp][])
    assert.throws(() => filterOfQdrant(filter, 'metadata'), reason)
})
