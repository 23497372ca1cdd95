import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SluiceError } from '../kit/errors.ts'
import { emptyMeaning, joinFilters, parseFilter } from './filter.ts'
import { pathsOf } from './metadata-columns.ts'

for (const [raw, filter] of [
  [{ a: 1 }, { path: ['a'], op: 'eq', value: 1 }],
  [{ a: null }, { path: ['a'], op: 'eq', value: null }],
  [{ a: { b: 1 } }, { path: ['a'], op: 'eq', value: { b: 1 } }],
  [{ 'a.b': { $gte: '2024' } }, { path: ['a', 'b'], op: 'gte', value: '2024' }],
  [{ a: { $in: [1, 'x'] } }, { path: ['a'], op: 'in', values: [1, 'x'] }],
  [{ a: { $exists: false } }, { path: ['a'], op: 'exists', exists: false }],
  [{ $not: { a: 1 } }, { op: 'not', not: { path: ['a'], op: 'eq', value: 1 } }],
  [{}, { op: 'and', all: [] }],
] as const)
  test(`parseFilter() reads ${JSON.stringify(raw)}`, () => assert.deepEqual(parseFilter(raw), filter))

test('parseFilter() joins several keys and several operators by and', () => {
  assert.deepEqual(parseFilter({ a: { $gt: 1, $lt: 3 }, b: 2 }), {
    op: 'and',
    all: [
      {
        op: 'and',
        all: [
          { path: ['a'], op: 'gt', value: 1 },
          { path: ['a'], op: 'lt', value: 3 },
        ],
      },
      { path: ['b'], op: 'eq', value: 2 },
    ],
  })
})

const nested = (depth: number): object => (depth === 0 ? { a: 1 } : { $not: nested(depth - 1) })

for (const [what, raw] of [
  ['text', 'a = 1'],
  ['null', null],
  ['a list', [{ a: 1 }]],
  ['an unknown operator of a field', { a: { $regex: 'x' } }],
  ['an unknown operator beside a known one', { a: { $gt: 1, $regex: 'x' } }],
  ['an unknown operator above', { $nor: [{ a: 1 }] }],
  ['a plain key beside an operator', { a: { $gt: 1, b: 2 } }],
  ['not below a field', { a: { $not: { $gt: 1 } } }],
  ['$in without a list', { a: { $in: 'x' } }],
  ['$nin without a list', { a: { $nin: {} } }],
  ['$exists without true or false', { a: { $exists: 1 } }],
  ['an order of truth values', { a: { $gt: true } }],
  ['an order of lists', { a: { $lte: [1] } }],
  ['$and without a list', { $and: { a: 1 } }],
  ['a part of $or that is no filter', { $or: [1] }],
  ['an empty $and', { $and: [] }],
  ['an empty $or', { $or: [] }],
  ['an empty $or inside', { $not: { $or: [] } }],
  ['an empty filter in $and', { $and: [{ a: 1 }, {}] }],
  ['an empty filter below $not', { $not: {} }],
  ['__proto__ as a field', JSON.parse('{"__proto__": 1}')],
  ['__proto__ beside a field', JSON.parse('{"a": 1, "__proto__": {"b": 1}}')],
  ['__proto__ in a part', JSON.parse('{"$and": [{"a": 1}, {"__proto__": 1}]}')],
  ['__proto__ in a value', JSON.parse('{"a": {"$in": [{"b": {"__proto__": 1}}]}}')],
  ['too many levels', nested(40)],
] as const)
  test(`parseFilter() refuses ${what}, and never drops it`, () => {
    assert.throws(
      () => parseFilter(raw),
      (error: unknown) => error instanceof SluiceError && error.code === 'filter_invalid',
    )
  })

test('parseFilter() accepts deep nesting within the limit', () => {
  parseFilter(nested(20))
})

test('parseFilter() refuses a filter over the limits of comparisons and fields', () => {
  const any = (count: number, key: (at: number) => string) => ({
    $or: Array.from({ length: count }, (_, at) => ({ [key(at)]: at })),
  })
  assert.equal(pathsOf(parseFilter(any(256, () => 'a'))).length, 256)
  assert.throws(() => parseFilter(any(257, () => 'a')), /256 times/)
  assert.throws(() => parseFilter(any(33, (at) => `f${at}`)), /32 fields/)
  parseFilter({ a: { $in: Array.from({ length: 10_000 }, (_, at) => at) } })
})

for (const [raw, meaning] of [
  [{ a: 1 }, undefined],
  [{}, 'all'],
  [{ a: { $nin: [] } }, 'all'],
  [{ a: { $in: [] } }, 'none'],
  [{ $not: { a: { $in: [] } } }, 'all'],
  [{ a: { $nin: [] }, b: { $nin: [] } }, 'all'],
  [{ a: { $nin: [] }, b: 1 }, undefined],
  [{ $or: [{ a: { $nin: [] } }, { b: 1 }] }, 'all'],
  [{ $or: [{ a: { $in: [] } }, { b: 1 }] }, undefined],
  [{ $and: [{ a: { $in: [] } }, { b: 1 }] }, 'none'],
] as const)
  test(`emptyMeaning() says ${meaning ?? 'nothing'} of ${JSON.stringify(raw)}`, () =>
    assert.equal(emptyMeaning(parseFilter(raw)), meaning))

test('joinFilters() requires both filters, and leaves out an empty one', () => {
  assert.deepEqual(joinFilters({ a: 1 }, { a: 2 }), { $and: [{ a: 1 }, { a: 2 }] })
  assert.deepEqual(
    [joinFilters({}, { a: 2 }), joinFilters({ a: 1 }, {}), joinFilters({}, {})],
    [{ a: 2 }, { a: 1 }, {}],
  )
})
