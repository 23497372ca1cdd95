import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, type TestContext } from 'node:test'
import type { Ledger } from '../../src/contract/ledger.ts'
import { type Database, openDatabase } from '../../src/db/sqlite/database.ts'
import type { ChunkStores } from '../../src/contract/chunk-store.ts'
import { sqliteLedger } from '../../src/db/sqlite/ledger.ts'
import { builtInStores } from '../../src/stores/built-in.ts'

/** A directory, and a way to open databases in it; after the test they are closed and it is gone. */
export function temporaryData(t: TestContext): { directory: string; open(below?: string): Database } {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-store-'))
  const opened: Database[] = []
  t.after(async () => {
    for (const database of opened) await database.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    directory,
    open(below = '') {
      const database = openDatabase(path.join(directory, below))
      opened.push(database)
      return database
    },
  }
}

/** A database in a directory of its own; both are gone after the test. */
export const temporaryDatabase = (t: TestContext): Database => temporaryData(t).open()

/** A database for all tests of a file, which is gone after them, and names of namespaces that no other test has. */
function sharedDatabase(): { database: Database; newNamespace(): string } {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-store-'))
  const database = openDatabase(directory)
  after(async () => {
    await database.close()
    rmSync(directory, { recursive: true, force: true })
  })
  let namespaces = 0
  return { database, newNamespace: () => `namespace-${++namespaces}` }
}

/** The stores of this product over one database for all tests of a file, each of which takes a namespace of its own. */
export function sharedStores(): { database: Database; stores: ChunkStores; newNamespace(): string } {
  const shared = sharedDatabase()
  return { ...shared, stores: builtInStores(shared.database) }
}

/** The ledger of such a database. */
export function sharedLedger(): { database: Database; ledger: Ledger; newNamespace(): string } {
  const shared = sharedDatabase()
  return { ...shared, ledger: sqliteLedger(shared.database) }
}

/** Every row of the tables of an index: two equal texts mean that nothing was written between. */
export function contentOf({ reader }: Database): string {
  const tables = ['indexes', 'runs', 'sources', 'files', 'passages', 'vectors', 'chunks']
  return JSON.stringify(tables.map((table) => reader.all(`SELECT * FROM ${table} ORDER BY 1, 2`)))
}
