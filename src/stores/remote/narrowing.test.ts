import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter } from '../../contract/filter.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { parseFilter } from '../../vector/filter.ts'
import { matches } from '../../vector/matches.ts'
import { factsOf, fieldsOf, valueFact } from './metadata-facts.ts'
import { type Narrowing, narrowingOf } from './narrowing.ts'
import { orderRange, orderTermsOf } from './order-terms.ts'

const VALUES: Json[] = [
  ...[null, true, 0, -0, 1, -1.5, 1e21, 5e-324, '', '1', 'a', 'ab', 'é', '日本', '😀', 'z'.repeat(70)],
  ...[[], ['a'], ['a', 'ab'], [1], [[1]], {}, { b: 1 }, { b: { c: 'a' } }],
]

const METADATA: JsonObject[] = [
  {},
  { other: 1 },
  ...VALUES.map((a) => ({ a })),
  { 'a.b': 1 },
  { 'a.b': 2, a: { b: 1 } },
  { a: { 'b.c': 1 } },
]

const OPERATORS = ['$eq', '$ne', '$contains']
const RANGES = ['$gt', '$gte', '$lt', '$lte']

const FILTERS: JsonObject[] = ['a', 'a.b', 'a.b.c'].flatMap((field) => [
  { [field]: { $exists: true } },
  { [field]: { $exists: false } },
  { [field]: { $in: [1, 'a', ['a']] } },
  { [field]: { $nin: [1, 'a', ['a']] } },
  ...VALUES.flatMap((value) => OPERATORS.map((operator) => ({ [field]: { [operator]: value } }))),
  ...VALUES.filter((value) => typeof value === 'number' || typeof value === 'string').flatMap((value) =>
    RANGES.map((operator) => ({ [field]: { [operator]: value } })),
  ),
])

const utf8 = (text: string) => Buffer.from(text)

/** Whether metadata meet a narrowing, as an engine answers it that has lists of words alone. */
function meets(narrowing: Narrowing, metadata: JsonObject): boolean {
  switch (narrowing.op) {
    case 'and':
      return narrowing.all.every((part) => meets(part, metadata))
    case 'or':
      return narrowing.all.some((part) => meets(part, metadata))
    case 'some':
    case 'none':
      return factsOf(metadata).some((fact) => narrowing.facts.includes(fact)) === (narrowing.op === 'some')
    default: {
      const range = orderRange(narrowing)
      if (!range) return true
      const { gt, gte, lt, lte } = range
      return orderTermsOf(metadata).some(
        (term) =>
          (gt === undefined || Buffer.compare(utf8(term), utf8(gt)) > 0) &&
          (gte === undefined || Buffer.compare(utf8(term), utf8(gte)) >= 0) &&
          (lt === undefined || Buffer.compare(utf8(term), utf8(lt)) < 0) &&
          (lte === undefined || Buffer.compare(utf8(term), utf8(lte)) <= 0),
      )
    }
  }
}

function compare(raw: JsonObject): { wider: number; checked: number } {
  const filter = parseFilter(raw)
  const narrowing = narrowingOf(filter, ['number', 'string'])
  let wider = 0
  for (const metadata of METADATA) {
    const found = narrowing === undefined || meets(narrowing, metadata)
    const right = matches(filter, metadata)
    assert.ok(found || !right, `${JSON.stringify(raw)} leaves out ${JSON.stringify(metadata)}`)
    if (found && !right) wider++
  }
  return { wider, checked: METADATA.length }
}

const some = { op: 'some', facts: [valueFact('a', 1)] }
const none = { ...some, op: 'none' }

test('narrowingOf() gives what an engine can check of all that must hold, and of alternatives only if it can check each', () => {
  const known: Filter = { path: ['a'], op: 'eq', value: 1 }
  const unknown: Filter = { path: ['b'], op: 'gt', value: 'x' }
  const not = (filter: Filter): Filter => ({ op: 'not', not: filter })
  for (const [filter, wanted] of [
    [
      { op: 'and', all: [known, unknown] },
      { op: 'and', all: [some] },
    ],
    [{ op: 'or', all: [known, unknown] }, undefined],
    [
      { op: 'or', all: [known] },
      { op: 'or', all: [some] },
    ],
    [not({ op: 'or', all: [known, unknown] }), { op: 'and', all: [none] }],
    [not({ op: 'and', all: [known, unknown] }), undefined],
    [{ op: 'and', all: [unknown] }, undefined],
    [{ op: 'and', all: [] }, undefined],
    [not({ op: 'and', all: [] }), undefined],
  ] as [Filter, Narrowing | undefined][])
    assert.deepEqual(narrowingOf(filter, ['number']), wanted, JSON.stringify(filter))
})

test('narrowingOf() asks an engine for a list of values, for no empty list, and for no order of values that it cannot compare', () => {
  const within = (op: 'in' | 'nin', ...values: number[]) =>
    narrowingOf({ path: ['a'], op, values }, ['number'])
  assert.deepEqual([within('in', 1), within('in', 1, 1), within('nin', 1)], [some, some, none])
  assert.deepEqual([within('in'), within('nin')], [undefined, undefined])
  const above = (value: number | string) => narrowingOf({ path: ['a'], op: 'gt', value }, ['number'])
  assert.deepEqual([above(1), above('x')], [{ path: ['a'], op: 'gt', value: 1 }, undefined])
})

test('narrowingOf() keeps all metadata that meet a filter, for every operator and kind of value', () => {
  let wider = 0
  let checked = 0
  for (const raw of FILTERS) {
    const one = compare(raw)
    wider += one.wider
    checked += one.checked
  }
  // What is wider: texts that may contain a text, and texts that are longer than the terms of an order.
  assert.ok(wider < checked / 20, `${wider} of ${checked} are wider`)
})

test('narrowingOf() keeps all metadata that meet a filter made of others', () => {
  for (const [at, one] of FILTERS.entries()) {
    const other = FILTERS[(at * 7 + 3) % FILTERS.length]!
    compare({ $not: one })
    compare({ $and: [one, other] })
    compare({ $or: [one, other] })
    compare({ $not: { $and: [one, { $not: other }] } })
    compare({ $not: { $or: [one, { $not: other }] } })
  }
})

test('fieldsOf() names fields as filters do: a key with dots comes before a path', () => {
  assert.deepEqual(
    [...fieldsOf({ 'a.b': 2, a: { b: 1, 'c.d': 3 }, e: [] })],
    [
      ['a.b', 2],
      ['a', { b: 1, 'c.d': 3 }],
      ['e', []],
    ],
  )
})
