import type { ChunkStore } from '../contract/chunk-store.ts'
import { openDatabase } from '../db/sqlite/database.ts'
import { builtInStores } from './built-in.ts'

/**
 * An index in a database of its own, in a folder that is made where it is missing. What an earlier process has left there is used again.
 *
 * @throws SluiceError as `openDatabase` does
 */
export function openTemporaryStore(directory: string): { store: ChunkStore; close(): Promise<void> } {
  const database = openDatabase(directory)
  const stores = builtInStores(database)
  return {
    store: stores.open('comparison'),
    async close() {
      await stores.close()
      await database.close()
    },
  }
}
