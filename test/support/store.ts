import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { type BuiltInStores, builtInStores } from '../../src/stores/built-in.ts'

/** A directory that is gone after the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-store-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A database in a directory of its own; both are gone after the test. */
export function temporaryDatabase(t: TestContext): Database {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-store-'))
  const database = openDatabase(folder)
  t.after(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return database
}

/** The stores of this product over a database of their own. */
export function temporaryStores(t: TestContext): { database: Database; stores: BuiltInStores } {
  const database = temporaryDatabase(t)
  return { database, stores: builtInStores(database) }
}

/** Every row of every table that tells what an index holds: two equal texts mean that nothing was written between. */
export function contentOf({ reader }: Database): string {
  const tables = ['indexes', 'runs', 'sources', 'files', 'passages', 'vectors', 'chunks']
  return JSON.stringify(tables.map((table) => reader.all(`SELECT * FROM ${table} ORDER BY 1, 2`)))
}
