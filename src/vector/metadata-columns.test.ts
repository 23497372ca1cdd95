import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metadata } from '../contract/document.ts'
import { between, pick as pickOf, seeded } from '../../test/support/splitter-oracle.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import { parseFilter } from './filter.ts'
import { matches, metadataValueAt } from './matches.ts'
import { MetadataColumns, pathsOf } from './metadata-columns.ts'

/** Adds a chunk with metadata as texts, as the database gives them. */
function add(columns: MetadataColumns, chunk: number, owner: number, metadata: Metadata): void {
  const texts = columns.paths.map((path) => JSON.stringify(metadataValueAt(metadata, path)) ?? null)
  columns.add(chunk, owner, texts)
}

const FILTERS = [
  { n: 3 },
  { n: { $gte: 2, $lt: 5 } },
  { n: { $in: [1, '3'] } },
  { n: { $ne: 3 } },
  { n: { $exists: false } },
  { 'loc.page': 2 },
  { loc: { page: 2 } },
  { tags: { $contains: 'red' } },
  { $or: [{ n: 0 }, { tags: { $exists: true } }] },
  { $and: [{ n: { $gt: 0 } }, { $not: { 'loc.page': 1 } }] },
  { $not: { $or: [{ n: 1 }, { n: 2 }] } },
  { unheard: { $nin: [1] } },
].map((raw) => parseFilter(raw))

const PATHS = FILTERS.flatMap(pathsOf)

const metadataOf = (chunk: number): Metadata => ({
  ...(chunk % 5 === 4 ? {} : { n: chunk % 7 === 0 ? '3' : chunk % 6 }),
  loc: { page: chunk % 3 },
  ...(chunk % 4 === 0 ? { tags: ['red', chunk] } : {}),
})

/** Three chunks of one owner follow one another. */
const ownerOf = (chunk: number) => 1000 + Math.floor(chunk / 3)

function ownersByMatching(chunks: Iterable<number>, filter: (typeof FILTERS)[number]): number[] {
  const found = [...chunks].filter((chunk) => matches(filter, metadataOf(chunk))).map(ownerOf)
  return [...new Set(found)].sort((a, b) => a - b)
}

test('MetadataColumns finds the owners of chunks that meet a filter, as matches() does, after removals too', () => {
  const columns = new MetadataColumns(PATHS)
  const chunks = new Set<number>()
  const addSome = (from: number, to: number) => {
    for (let chunk = from; chunk < to; chunk += 2) {
      add(columns, chunk, ownerOf(chunk), metadataOf(chunk))
      chunks.add(chunk)
    }
  }
  const check = () => {
    for (const filter of FILTERS)
      assert.deepEqual(
        [...columns.owners(filter)].sort((a, b) => a - b),
        ownersByMatching(chunks, filter),
        JSON.stringify(filter),
      )
  }
  check()
  addSome(10, 4000)
  check()
  for (const chunk of [...chunks]) {
    if (chunk % 10 === 0 || chunk > 3500) continue
    columns.remove(chunk)
    columns.remove(chunk + 1)
    columns.remove(chunk)
    chunks.delete(chunk)
  }
  check()
  addSome(4000, 4600)
  check()
})

test('MetadataColumns says which filters it covers', () => {
  const columns = new MetadataColumns([['n'], ['loc', 'page']])
  assert.equal(columns.covers(parseFilter({ n: 1, $not: { 'loc.page': 2 } })), true)
  assert.equal(columns.covers(parseFilter({ n: 1, 'loc.line': 2 })), false)
  assert.equal(columns.covers(parseFilter({})), true)
})

const VALUES: Json[] = [
  0,
  1,
  -1,
  2.5,
  1e300,
  '',
  '1',
  'a',
  'ab',
  '2024-02-29',
  '2024-03-01T00:00:00Z',
  '2024-03-01',
  true,
  false,
  null,
  [],
  [1],
  ['a', 'ab'],
  [null],
  [['a']],
  {},
  { a: 1 },
  { b: { c: 'a' } },
  { c: 1, a: [2] },
]
const FIELDS = ['a', 'b', 'a.b', 'b.c', 'b.c.d', 'x.y']
const OPERATORS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists', '$contains'] as const

/** Filters and metadata of all kinds, the same for the same seed. */
function writer(seed: number) {
  const random = seeded(seed)
  const pick = <T>(all: readonly T[]): T => pickOf(random, all)
  const operand = (operator: string): Json => {
    if (operator === '$in' || operator === '$nin')
      return Array.from({ length: between(random, 0, 3) }, () => pick(VALUES))
    if (operator === '$exists') return random() < 0.5
    if (['$gt', '$gte', '$lt', '$lte'].includes(operator)) return pick([0, 1, 2.5, 'a', '2024-03-01', ''])
    return pick(VALUES)
  }
  const field = (): JsonObject => {
    if (random() < 0.3) return { [pick(FIELDS)]: pick(VALUES.filter((value) => !Array.isArray(value))) }
    const operator = pick(OPERATORS)
    const second = pick(OPERATORS)
    return {
      [pick(FIELDS)]: {
        [operator]: operand(operator),
        ...(random() < 0.2 ? { [second]: operand(second) } : {}),
      },
    }
  }
  const filter = (depth = 0): JsonObject => {
    const kind = random()
    const some = () => Array.from({ length: between(random, 1, 3) }, () => filter(depth + 1))
    if (depth > 2 || kind < 0.5) return field()
    if (kind < 0.65) return { $and: some() }
    if (kind < 0.8) return { $or: some() }
    return { $not: filter(depth + 1) }
  }
  const metadata = (): Metadata =>
    Object.fromEntries(
      ['a', 'b', 'c', 'a.b', 'x'].filter(() => random() < 0.6).map((key) => [key, pick(VALUES)]),
    )
  return { filter, metadata }
}

test('MetadataColumns and matches() agree on random filters over random metadata', () => {
  const { filter, metadata } = writer(20)
  const rows = Array.from({ length: 300 }, metadata)
  for (let round = 0; round < 500; round++) {
    const raw = filter()
    const parsed = parseFilter(raw)
    const columns = new MetadataColumns(pathsOf(parsed))
    for (const [chunk, row] of rows.entries()) add(columns, chunk, chunk, row)
    const found = rows.flatMap((row, chunk) => (matches(parsed, row) ? [chunk] : []))
    assert.deepEqual([...columns.owners(parsed)], found, JSON.stringify(raw))
  }
})

test('MetadataColumns and matches() agree that a number beyond all others is not null', () => {
  const parsed = parseFilter({ a: { $in: [Infinity] } })
  const columns = new MetadataColumns(pathsOf(parsed))
  add(columns, 1, 1, { a: null })
  assert.equal(columns.owners(parsed).size, 0)
  assert.equal(matches(parsed, { a: null }), false)
})

test('MetadataColumns names the fields of a filter that no chunk has, also once the last one that had it is gone', () => {
  const filter = parseFilter({
    $or: [{ kept: 1 }, { gone: 1 }, { never: 1 }, { $not: { 'deep.er': 1 } }, { never: 2 }],
  })
  const columns = new MetadataColumns(pathsOf(filter))
  add(columns, 1, 1, { kept: null, deep: { er: 2 } })
  add(columns, 2, 2, { gone: 1 })
  assert.deepEqual(columns.absent(filter), ['never'])
  columns.remove(2)
  assert.deepEqual(columns.absent(filter), ['gone', 'never'])
})

test('MetadataColumns takes two texts of one value for the same value', () => {
  const filter = parseFilter({ a: { x: 1, y: [2] } })
  const columns = new MetadataColumns(pathsOf(filter))
  columns.add(1, 1, ['{"x":1,"y":[2]}'])
  columns.add(2, 2, ['{ "y": [2.0], "x": 1e0 }'])
  columns.add(3, 3, ['{"x":1}'])
  columns.add(4, 4, [null])
  assert.deepEqual([...columns.owners(filter)], [1, 2])
})

test('MetadataColumns and matches() agree on many chunks with rare and frequent values, while chunks come and go', () => {
  const metadataWith = (chunk: number): Metadata => ({
    n: chunk,
    rare: chunk % 500 === 7 ? 'yes' : 'no',
    ...(chunk % 300 === 0 ? { mark: chunk % 900 } : {}),
  })
  const filters = [
    { n: { $in: [5, 17_000, 33_333, 40_001] } },
    { n: { $lt: 100 } },
    { n: { $gte: 100 } },
    { rare: 'yes' },
    { rare: { $ne: 'no' } },
    { rare: 'no' },
    { mark: { $exists: true } },
    { mark: { $exists: false } },
    { mark: 300, rare: 'no' },
    { rare: 'maybe' },
  ].map((raw) => parseFilter(raw))
  const columns = new MetadataColumns([['n'], ['rare'], ['mark']])
  const chunks = new Set<number>()
  const check = () => {
    for (const filter of filters) {
      const found = [...columns.owners(filter)].sort((a, b) => a - b)
      const wanted = [...chunks].filter((chunk) => matches(filter, metadataWith(chunk)))
      assert.deepEqual(found, wanted, JSON.stringify(filter))
    }
  }
  let next = 0
  const addUpTo = (end: number) => {
    for (let chunk = next; chunk < end; chunk++) {
      add(columns, chunk, chunk, metadataWith(chunk))
      chunks.add(chunk)
    }
    next = end
    check()
  }
  // Before values are listed by their rows, then with few rows that are not listed yet, then listed again.
  for (const end of [9999, 30_000, 30_600, 33_000, 45_000]) addUpTo(end)
  for (let chunk = 0; chunk < 45_000; chunk += 7) {
    columns.remove(chunk)
    chunks.delete(chunk)
  }
  check()
})

test('MetadataColumns takes blocks of chunks as they are stored, with chunks added one by one between them', () => {
  const metadataWith = (chunk: number): Metadata => ({
    group: chunk % 97,
    half: chunk % 2 === 0,
    ...(chunk % 5 === 0 ? { some: { deep: chunk % 3 } } : {}),
    same: 'all',
  })
  const paths = [['group'], ['half'], ['some', 'deep'], ['same']]
  const columns = new MetadataColumns(paths)
  const chunks = new Set<number>()
  const addBlock = (first: number, size: number) => {
    const texts = paths.map((path) =>
      Array.from({ length: size }, (_, row) =>
        JSON.stringify(metadataValueAt(metadataWith(first + row), path)),
      ),
    )
    columns.addRows(
      {
        chunks: { first, offsets: Uint16Array.from({ length: size }, (_, row) => row) },
        owners: { first: first + 10, offsets: Uint32Array.from({ length: size }, (_, row) => row) },
      },
      texts.map((all) => {
        const values = [...new Set(all)]
        return {
          values: values.map((text) => (text === undefined ? undefined : JSON.parse(text))),
          places: values.length === 1 ? undefined : Uint8Array.from(all, (text) => values.indexOf(text)),
        }
      }),
    )
    for (let chunk = first; chunk < first + size; chunk++) chunks.add(chunk)
  }
  const filters = [
    { group: 3 },
    { group: { $in: [3, 5, 90] } },
    { group: { $ne: 3 } },
    { half: true },
    { 'some.deep': { $gte: 1 } },
    { 'some.deep': { $exists: false } },
    { same: 'all' },
    { same: 'none' },
    { $or: [{ group: 3 }, { $not: { half: true } }] },
  ].map((raw) => parseFilter(raw))
  const check = () => {
    assert.equal(columns.size, chunks.size)
    for (const filter of filters)
      assert.deepEqual(
        [...columns.owners(filter)].sort((a, b) => a - b),
        [...chunks].filter((chunk) => matches(filter, metadataWith(chunk))).map((chunk) => chunk + 10),
        JSON.stringify(filter),
      )
  }
  const BLOCKS = 3
  for (let block = 0; block < BLOCKS; block++) addBlock(block * 5000, 4096)
  const perRow = 2 + 4 + 3
  assert.ok(columns.heldBytes < BLOCKS * 4096 * (perRow + 2), `${columns.heldBytes} bytes`)
  for (let round = 0; round < 2; round++) check()
  const addOne = (chunk: number) => {
    add(columns, chunk, chunk + 10, metadataWith(chunk))
    chunks.add(chunk)
  }
  for (let chunk = 50_000; chunk < 50_040; chunk++) addOne(chunk)
  addBlock(50_040, 300)
  for (let chunk = 51_000; chunk < 51_010; chunk++) addOne(chunk)
  check()
  const removeSome = (step: number) => {
    for (const chunk of [...chunks]) {
      if (chunk % 3 === step) continue
      columns.remove(chunk)
      columns.remove(chunk)
      chunks.delete(chunk)
    }
    columns.remove(4999)
    check()
  }
  removeSome(0)
  addOne(60_000)
  check()
  removeSome(1)
  assert.deepEqual([...columns.owners(parseFilter({}))], [])
})
