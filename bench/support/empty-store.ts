import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { builtInStores } from '../../src/stores/built-in.ts'

/** A store in a directory of its own, which is deleted with it. */
export function emptyStore(): AsyncDisposable & { store: ChunkStore } {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const database = openDatabase(directory)
  return {
    store: builtInStores(database).open('bench'),
    async [Symbol.asyncDispose]() {
      await database.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
