import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { test } from 'node:test'
import { between, seeded } from '../../test/support/splitter-oracle.ts'
import type { Metadata } from '../contract/document.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import { parseFilter } from './filter.ts'
import { matches } from './matches.ts'

const metadata: Metadata = {
  n: 3,
  zero: 0,
  text: 'pump room',
  none: null,
  yes: true,
  tags: ['red', 2, { a: 1 }],
  day: '2024-03-09T10:00:00Z',
  loc: { lines: { from: 7 }, page: 2 },
  'file.name': 'x',
  'loc.page': 9,
}

for (const [raw, expected] of [
  [{ n: 3 }, true],
  [{ n: '3' }, false],
  [{ none: null }, true],
  [{ gone: null }, false],
  [{ zero: false }, false],
  [{ n: { $eq: 3 } }, true],
  [{ n: { $ne: 3 } }, false],
  [{ n: { $ne: '3' } }, true],
  [{ n: { $in: [1, 3] } }, true],
  [{ n: { $in: [] } }, false],
  [{ n: { $nin: [1, 3] } }, false],
  [{ n: { $nin: [] } }, true],
  [{ n: { $gt: 2 } }, true],
  [{ n: { $gt: 3 } }, false],
  [{ n: { $gte: 3 } }, true],
  [{ n: { $lt: 4, $gt: 3 } }, false],
  [{ n: { $lte: 3 } }, true],
  [{ n: { $lt: '9' } }, false],
  [{ zero: { $gte: 0 } }, true],
  [{ yes: { $gt: 0 } }, false],
  [{ none: { $lte: 0 } }, false],
  [{ day: { $gte: '2024-03-01', $lt: '2024-04-01' } }, true],
  [{ day: { $gt: '2024-03-10' } }, false],
  [{ text: { $contains: 'pump' } }, true],
  [{ text: { $contains: 'Pump' } }, false],
  [{ tags: { $contains: 2 } }, true],
  [{ tags: { $contains: '2' } }, false],
  [{ tags: { $contains: { a: 1 } } }, true],
  [{ n: { $contains: 3 } }, false],
  [{ loc: { page: 2, lines: { from: 7 } } }, true],
  [{ loc: { page: 2 } }, false],
  [{ 'loc.lines.from': { $lte: 7 } }, true],
  [{ 'loc.lines.to': { $exists: false } }, true],
  [{ 'text.length': { $exists: true } }, false],
  [{ 'tags.0': 'red' }, false],
  [{ 'file.name': 'x' }, true],
  [{ 'loc.page': 9 }, true],
  [{ none: { $exists: true } }, true],
  [{ constructor: { $exists: true } }, false],
  [{ $and: [{ n: 3 }, { zero: 0 }] }, true],
  [{ $or: [{ n: 4 }, { zero: 0 }] }, true],
  [{ $not: { n: 3 } }, false],
  [{ $not: { gone: { $gt: 1 } } }, true],
] as const)
  test(`matches() says ${expected} of ${JSON.stringify(raw)}`, () => {
    assert.equal(matches(parseFilter(raw), metadata), expected)
  })

test('matches() lets an absent field meet $ne, $nin and $exists: false only', () => {
  const operands = { $eq: 1, $ne: 1, $in: [1], $nin: [1], $gt: 1, $gte: 1, $lt: 1, $lte: 1, $contains: 1 }
  const rows = [...Object.entries(operands), ['$exists', true], ['$exists', false]] as [string, Json][]
  for (const where of ['gone', 'loc.gone', 'n.gone'])
    assert.deepEqual(
      rows
        .filter(([operator, operand]) => matches(parseFilter({ [where]: { [operator]: operand } }), metadata))
        .map(([operator, operand]) => `${operator} ${operand}`),
      ['$ne 1', '$nin 1', '$exists false'],
      where,
    )
})

/** The same language spoken the plain way, over what clients write. */
function naive(raw: JsonObject, own: JsonObject): boolean {
  return Object.entries(raw).every(([key, asked]) => {
    if (key === '$and') return (asked as JsonObject[]).every((part) => naive(part, own))
    if (key === '$or') return (asked as JsonObject[]).some((part) => naive(part, own))
    if (key === '$not') return !naive(asked as JsonObject, own)
    const value = key.split('.').reduce<unknown>((at, step) => (at as JsonObject | undefined)?.[step], own)
    return Object.entries(asked as JsonObject).every(([operator, operand]) => {
      const order =
        typeof value === typeof operand && (typeof value === 'number' || typeof value === 'string')
      const [a, b] = [value as number, operand as number]
      if (operator === '$eq') return isDeepStrictEqual(value, operand)
      if (operator === '$ne') return !isDeepStrictEqual(value, operand)
      if (operator === '$in') return (operand as Json[]).some((one) => isDeepStrictEqual(value, one))
      if (operator === '$nin') return !(operand as Json[]).some((one) => isDeepStrictEqual(value, one))
      if (operator === '$exists') return (value !== undefined) === operand
      if (operator === '$gt') return order && a > b
      if (operator === '$gte') return order && a >= b
      if (operator === '$lt') return order && a < b
      if (operator === '$lte') return order && a <= b
      if (Array.isArray(value)) return value.some((one) => isDeepStrictEqual(one, operand))
      return typeof value === 'string' && typeof operand === 'string' && value.includes(operand)
    })
  })
}

test('matches() agrees with a plain evaluator on random filters and metadata', () => {
  const random = seeded(11)
  const pick = <T>(items: readonly T[]): T => items[between(random, 0, items.length - 1)]!
  const values: Json[] = [0, 1, 2, '', 'a', 'ab', '1', null, true, false, [], ['a', 1], { y: 1 }, {}]
  const fields = ['p', 'q', 'x.y', 'x.z']
  const operators = '$eq $ne $in $nin $gt $gte $lt $lte $contains $exists'.split(' ')
  const operandOf = (operator: string): Json => {
    if (operator.endsWith('in')) return [pick(values), pick(values)]
    if (operator === '$exists') return random() < 0.5
    return /^\$[gl]/.test(operator) ? pick([0, 1, 'a', 'ab']) : pick(values)
  }
  const filterOf = (depth: number): JsonObject => {
    const kind = depth === 0 ? 1 : random()
    if (kind < 0.2) return { $not: filterOf(depth - 1) }
    if (kind < 0.6) return { [pick(['$and', '$or'])]: [filterOf(depth - 1), filterOf(depth - 1)] }
    const operator = pick(operators)
    return { [pick(fields)]: { [operator]: operandOf(operator) } }
  }
  const metadataOf = (): JsonObject => ({
    ...(random() < 0.7 ? { p: pick(values) } : {}),
    ...(random() < 0.7 ? { q: pick(values) } : {}),
    ...(random() < 0.8
      ? { x: random() < 0.6 ? { y: pick(values) } : pick(values.filter((one) => one !== null)) }
      : {}),
  })
  let met = 0
  for (let round = 0; round < 20_000; round++) {
    const raw = filterOf(3)
    const own = metadataOf()
    const expected = naive(raw, own)
    assert.equal(matches(parseFilter(raw), own), expected, `${JSON.stringify(raw)} on ${JSON.stringify(own)}`)
    if (expected) met++
  }
  assert.ok(met > 4000 && met < 16_000, `${met} of 20,000 met: the draw is lopsided`)
})
