import { rmSync } from 'node:fs'
import type { ChunkStores } from '../contract/chunk-store.ts'
import type { Leases } from '../contract/leases.ts'
import { askedIndexes } from '../db/postgres/asked-indexes.ts'
import type { PostgresDatabase } from '../db/postgres/database.ts'
import { followedIndexes } from '../db/postgres/index-changes.ts'
import { postgresLedger } from '../db/postgres/ledger.ts'
import { savedIndexes } from '../db/postgres/saved-indexes.ts'
import { settingStore } from '../db/repositories/settings.ts'
import { type Database, openDatabase } from '../db/sqlite/database.ts'
import type { Clock } from '../kit/clock.ts'
import { AskedCounts } from './replica/asked-counts.ts'
import { replicaEngine } from './replica/replica-engine.ts'
import { type HomesOptions, type ReplicaHomes, replicaHomes } from './replica/replica-homes.ts'
import { COPY_FORMAT } from './replica/saved-files.ts'
import { WarmUp, type WarmUpOptions } from './replica/warm-up.ts'
import { ledgerStores } from './separate-engines.ts'

/** `share`: see {@link ReplicaHomes}. `warmUp`: loads the indexes that were asked most. */
export type ReplicaStores = ChunkStores &
  Pick<ReplicaHomes, 'share'> & { warmUp: Pick<WarmUp, 'start' | 'ended'> }

export type ReplicaStoresOptions = HomesOptions & {
  leases?: Pick<Leases, 'held'>
  /** How the warm-up went. */
  noteWarm?: NonNullable<WarmUpOptions['noteEnd']>
}

/**
 * The stores of the built-in vector engine over PostgreSQL: the ledger, the texts and the vectors are there, and each member
 * searches a replica in a folder of its own.
 */
export function replicaStores(
  database: PostgresDatabase,
  folder: string,
  clock: Clock = Date.now,
  { leases, noteWarm, ...options }: ReplicaStoresOptions = {},
): ReplicaStores {
  const local = openReplica(folder)
  const saved = savedIndexes(database, COPY_FORMAT)
  const replica = replicaHomes(followedIndexes(database.reader), saved, local, options)
  const asked = askedIndexes(database)
  const counts = new AskedCounts(asked)
  const engine = replicaEngine(replica, (indexId) => counts.note(indexId))
  const stores = ledgerStores({
    ledger: postgresLedger(database, clock, leases, { watch: replica.watch }),
    engine,
    settings: settingStore(database.sql),
  })
  const warmUp = new WarmUp({
    most: asked.most,
    load: (indexId) => engine.prepare(`${indexId}`),
    isFull: () => replica.memory().evictions > 0,
    ...(noteWarm ? { noteEnd: noteWarm } : {}),
  })
  return {
    ...stores,
    dependencies: [...stores.dependencies, warmUp.dependency],
    share: replica.share,
    warmUp,
    lag: () => replica.lag(),
    async sweepRemoved(reach) {
      await stores.sweepRemoved(reach)
      await replica.sweep()
    },
    async close() {
      warmUp.close()
      await counts.store()
      await stores.close()
      await local.close()
    },
  }
}

/** Everything in a replica can be copied again. */
const NOT_KEPT = { backup: false }

/** Opens the database of a replica. One that cannot be used is deleted: everything in it can be copied again. */
function openReplica(folder: string): Database {
  try {
    return openDatabase(folder, undefined, NOT_KEPT)
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return openDatabase(folder, undefined, NOT_KEPT)
  }
}
