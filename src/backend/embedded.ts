import { openDatabase } from '../db/sqlite/database.ts'
import { flowExecutionStore } from '../db/repositories/flow-executions.ts'
import { abandonOpenRuns } from '../db/ledger/indexes.ts'
import { jobStore } from '../db/repositories/jobs.ts'
import { openSecretKey } from '../db/sqlite/secret-key.ts'
import { createSoundness, DAMAGE_HINT } from '../db/sqlite/soundness.ts'
import type { DiskGuard } from '../db/disk-guard.ts'
import type { Config } from '../kit/config.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import { isDamage } from '../kit/storage-failure.ts'
import { memoryWindows } from '../kit/memory-windows.ts'
import { builtInStores } from '../stores/built-in.ts'
import type { Backend } from './backend.ts'
import { rowStores } from './row-stores.ts'

/** The embedded database: one file in the data directory, which this process has locked. @throws SluiceError as `openDatabase` */
export function openEmbedded(
  {
    DATA_DIR,
    SECRET_KEY,
    IMAGE_MEMORY,
    BACKUP,
  }: Pick<Config, 'DATA_DIR' | 'SECRET_KEY' | 'IMAGE_MEMORY' | 'BACKUP'>,
  guard: DiskGuard,
  log: Log,
): Backend {
  const database = openDatabase(DATA_DIR, guard, {
    backup: BACKUP,
    note: ({ file, schema }) =>
      log.info('database-backed-up', {
        message: `before the upgrade of the schema; the way back is sluice restore into an empty directory`,
        file,
        schema,
      }),
  })
  const soundness = createSoundness(database, log)
  return {
    ...rowStores(database.sql),
    executions: flowExecutionStore(database.sql),
    jobs: jobStore(database.sql, database.whenRoom),
    windows: memoryWindows(),
    stores: builtInStores(database, Date.now, {
      memoryBytes: IMAGE_MEMORY && IMAGE_MEMORY * 2 ** 20,
      noteFailure: (error) => log.warn('vector-image-not-written', { reason: reasonOf(error) }),
    }),
    openSecret: () => openSecretKey(database, DATA_DIR, SECRET_KEY),
    recover: () => database.whenRoom(() => database.sql.write(abandonOpenRuns, undefined)),
    shortage: database.shortage,
    whenRoom: database.whenRoom,
    noteListening: soundness.soon,
    dependencies: soundness.dependencies,

    async explain(error) {
      const isKnown = error instanceof SluiceError && error.code !== 'database_damaged'
      const damaged = isDamage(error) || (!isKnown && (await soundness.sound()) === false)
      if (!damaged) return error
      const facts = { path: database.file, reason: 'it is damaged', hint: DAMAGE_HINT }
      return new SluiceError('database_unusable', facts, { cause: error })
    },

    stop: soundness.stop,
    close: () => database.close(),
  }
}
