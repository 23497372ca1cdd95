import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { createFileParser } from '../../formats/pool.ts'
import { databaseItem } from './database-file.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-database-'))
const parser = createFileParser({ readable: [folder], size: 1, seconds: 2 })
after(async () => {
  await parser.close()
  rmSync(folder, { recursive: true, force: true })
})
const file = path.join(folder, 'zoo.db')
const database = new DatabaseSync(file)
// A database with a write-ahead log, as while a program writes to it.
database.exec('PRAGMA journal_mode = WAL; CREATE TABLE "wild animals" (name TEXT)')

const settingsFor = (query: string) => ({
  file,
  query,
  contentColumns: undefined,
  metadataColumns: undefined,
})
async function read(query: string): Promise<string[]> {
  const texts: string[] = []
  for await (const { parts } of databaseItem(settingsFor(query), parser).read(new AbortController().signal))
    for (const { pageContent, metadata } of parts) {
      assert.equal(metadata.source, 'zoo.db/wild animals')
      texts.push(pageContent)
    }
  return texts
}

for (const [query, source] of [
  ['SELECT * FROM animals WHERE x', 'zoo.db/animals'],
  ['select a.x\nfrom  "wild animals" a join b', 'zoo.db/wild animals'],
  ['SELECT * FROM [wild animals]', 'zoo.db/wild animals'],
  ['SELECT * FROM main.animals', 'zoo.db/main.animals'],
  ['SELECT 1', 'zoo.db/query'],
] as const)
  test(`databaseItem() calls the rows of ${JSON.stringify(query)} ${source}`, () => {
    const item = databaseItem(settingsFor(query), parser)
    assert.deepEqual([item.name, item.source, item.fingerprint], [source, source, undefined])
  })

test('databaseItem() reads more rows than fit into a batch', async () => {
  const insert = database.prepare('INSERT INTO "wild animals" VALUES (?)')
  for (let i = 0; i < 1000; i++) insert.run(`animal ${i}`)
  const rows = await read('SELECT name FROM "wild animals"')
  assert.equal(rows.length, 1000)
  assert.equal(rows.at(-1), 'name: animal 999')
})

test('databaseItem() ends a query that never ends, and reads the next one', async () => {
  const endless =
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n WHERE x < 0'
  await assert.rejects(read(endless), { code: 'file_timeout' })
  assert.deepEqual(await read('SELECT name FROM "wild animals" LIMIT 1'), ['name: animal 0'])
})
