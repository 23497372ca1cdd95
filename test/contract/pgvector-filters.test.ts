import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Metadata } from '../../src/contract/document.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { matches } from '../../src/vector/matches.ts'
import { pgVectorDatabase, pgVectorOver } from '../support/pgvector.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL with pgvector')

const [engine, indexed] = await Promise.all([
  pgVectorOver({ database: await pgVectorDatabase() }),
  pgVectorOver({ database: await pgVectorDatabase(), graphFrom: 1 }),
])
after(() => Promise.all([engine.close(), indexed.close()]))

const QUOTES = `a'b"c\\d; DROP TABLE x; -- $1`
const METADATA: Metadata[] = [
  {},
  { n: 1 },
  { n: 1.5, text: 'abc' },
  { n: '1', text: 'Abc' },
  { n: null },
  { n: [1, 2, 'abc', { a: 1, b: 2 }] },
  { n: { 0: 'x', a: 1 } },
  { a: { b: 1 } },
  { 'a.b': 2, a: { b: 1 } },
  { a: [{ b: 1 }] },
  { [QUOTES]: 1, text: QUOTES },
  { text: 'ä', n: -3 },
  { text: 'Z', n: 10 },
  { text: '', n: 0 },
  { n: true },
  { flag: false, n: 100_000_000_000_000_000_000 },
]

const VALUES = [1, 1.5, '1', 'abc', null, true, false, 0, -3, '', QUOTES, [1, 2], { a: 1 }, { b: 2, a: 1 }]
const FIELDS = ['n', 'text', 'a.b', 'a', 'n.0', 'flag', 'unknown', QUOTES]

const FILTERS: JsonObject[] = FIELDS.flatMap((field) => [
  ...VALUES.flatMap((value): JsonObject[] => [
    { [field]: { $eq: value } },
    { [field]: { $ne: value } },
    { [field]: { $contains: value } },
    { $not: { [field]: { $contains: value } } },
    { $not: { [field]: { $eq: value } } },
    ...(typeof value === 'number' || typeof value === 'string'
      ? ['$gt', '$gte', '$lt', '$lte'].map((operator) => ({ [field]: { [operator]: value } }))
      : []),
  ]),
  { [field]: { $in: [1, 'abc', null] } },
  { [field]: { $in: [[1, 2, 'abc', { a: 1, b: 2 }], 1] } },
  { [field]: { $in: [] } },
  { [field]: { $nin: [1, 'abc'] } },
  { [field]: { $nin: [] } },
  { [field]: { $exists: true } },
  { [field]: { $exists: false } },
  { $or: [{ [field]: 1 }, { $and: [{ text: { $gte: 'a' } }, { n: { $lt: 5 } }] }] },
])

for (const [name, used] of [
  ['the engine over PostgreSQL with pgvector', engine],
  ['the same with an index of the fields', indexed],
] as const)
  test(`${name} finds the points whose metadata meet a filter, with hostile keys and values too`, async () => {
    const points = METADATA.map((metadata, at) => ({
      id: String(at),
      text: '',
      vector: Float32Array.of(1, at),
      metadata,
    }))
    await used.upsert('filters', points)
    await used.buildGraphs()
    for (const raw of FILTERS) {
      const filter = parseFilter(raw)
      const found = await used.search('filters', {
        vector: Float32Array.of(1, 0),
        metric: 'cosine',
        limit: 100,
        filter,
      })
      const expected = METADATA.flatMap((metadata, at) => (matches(filter, metadata) ? [at] : []))
      assert.deepEqual(
        found.map(({ id }) => Number(id)).sort((one, other) => one - other),
        expected,
        JSON.stringify(raw),
      )
    }
  })

test('the engine over PostgreSQL with pgvector keeps metadata and texts that PostgreSQL cannot store, with U+FFFD for what it refuses', async () => {
  const metadata = { 'zero\0': 'a\0b', half: '\ud800', deep: [{ key: '\udfff\0' }] }
  await engine.upsert('hostile', [{ id: '1', text: 'x\0y\ud800', vector: Float32Array.of(1, 2), metadata }])
  const ask = (raw: JsonObject) =>
    engine.search('hostile', {
      vector: Float32Array.of(1, 0),
      metric: 'cosine',
      limit: 5,
      filter: parseFilter(raw),
    })
  for (const raw of [{ 'zero\0': 'a\0b' }, { half: '\ud800' }, { half: { $contains: '\ud800' } }])
    assert.equal((await ask(raw)).length, 1, JSON.stringify(raw))
})
