import type { ChunkStores } from '../contract/chunk-store.ts'
import type { Database } from '../db/sqlite/database.ts'
import { sqliteLedger } from '../db/sqlite/ledger.ts'
import { settingStore } from '../db/repositories/settings.ts'
import type { Clock } from '../kit/clock.ts'
import { builtInEngine } from './built-in/engine.ts'
import type { ImagesOptions } from './built-in/images.ts'
import { ledgerStores } from './separate-engines.ts'

/** The stores of the built-in vector engine, with ledger and vectors in one database, and of the separate engines that cards name. */
export const builtInStores = (
  database: Database,
  clock: Clock = Date.now,
  options?: ImagesOptions,
): ChunkStores =>
  ledgerStores({
    ledger: sqliteLedger(database, clock),
    engine: builtInEngine(database, options),
    settings: settingStore(database.sql),
  })
