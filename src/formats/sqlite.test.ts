import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { ParseOptions } from '../contract/file-parser.ts'
import { collect } from '../../test/support/collect.ts'
import { FILE_LIMITS } from './limits.ts'
import { readSqlite } from './sqlite.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-sqlite-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const file = path.join(folder, 'zoo.db')
const database = new DatabaseSync(file)
database.exec(`
  CREATE TABLE animals (id INTEGER PRIMARY KEY, name TEXT, habit TEXT, weight REAL, photo BLOB);
  INSERT INTO animals VALUES (1, 'otter', 'swims', 8.5, x'00ff'), (9007199254740993, 'badger', NULL, 12, NULL);
`)

const read = (query: string, options: ParseOptions = {}) =>
  collect(readSqlite({ path: file, name: 'zoo.db/animals' }, { query, ...options }, FILE_LIMITS))

test('readSqlite() makes a document of each row, a line per column, and notes what it skipped', async () => {
  assert.deepEqual(await read('SELECT * FROM animals'), [
    { pageContent: 'id: 1\nname: otter\nhabit: swims\nweight: 8.5', metadata: {}, last: true },
    { pageContent: 'id: 9007199254740993\nname: badger\nweight: 12', metadata: {}, last: true },
    { note: 'binary values were skipped, in photo' },
    { dropped: { kind: 'skippedValue', count: 1, place: { part: 'photo' } } },
  ])
})

test('readSqlite() uses the given columns for text and metadata; of a single column only the value', async () => {
  const options = { contentColumns: ['habit'], metadataColumns: ['id', 'weight', 'habit'] }
  assert.deepEqual(await read('-- which\nSELECT * FROM animals;', options), [
    { pageContent: 'swims', metadata: { id: 1, weight: 8.5, habit: 'swims' }, last: true },
  ])
  assert.deepEqual(await read('WITH a(x) AS (SELECT 1) SELECT x, 2 AS x FROM a'), [
    { pageContent: 'x: 1\nx: 2', metadata: {}, last: true },
  ])
  assert.partialDeepStrictEqual(
    await read('SELECT id FROM animals WHERE id > 1', { metadataColumns: ['id'] }),
    [{ metadata: { id: '9007199254740993' } }],
  )
})

for (const [query, reason] of [
  ['DELETE FROM animals', /not a SELECT/],
  ["ATTACH 'other.db' AS o", /not a SELECT/],
  ['', /not a SELECT/],
  ['/* select */ DROP TABLE animals', /not a SELECT/],
  ['SELECT 1; DELETE FROM animals', /more than one statement/],
  ['SELECT 1; SELECT 2', /more than one statement/],
  ['WITH a(x) AS (SELECT 1) DELETE FROM animals WHERE id IN (SELECT x FROM a)', /no rows/],
  ['WITH a(x) AS (SELECT 1) DELETE FROM animals RETURNING id', /readonly|read-only/],
  ['SELECT * FROM nowhere', /no such table: nowhere/],
  ['SELEC', /not a SELECT/],
] as const)
  test(`readSqlite() refuses ${JSON.stringify(query)}`, async () => {
    await assert.rejects(read(query), { code: 'file_unreadable', message: reason })
    assert.deepEqual({ ...database.prepare('SELECT count(*) AS n FROM animals').get() }, { n: 2 })
  })

test('readSqlite() names a column that the query does not return', async () => {
  await assert.rejects(read('SELECT id FROM animals', { contentColumns: ['naem'] }), {
    message: 'zoo.db/animals cannot be read: the query returns no column naem',
  })
})

test('readSqlite() takes a semicolon and comments after the statement', async () => {
  assert.equal((await read("SELECT ';' AS x ; -- end;\n /* ; */ ;")).length, 1)
})
