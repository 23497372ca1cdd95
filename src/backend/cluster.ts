import { totalmem } from 'node:os'
import path from 'node:path'
import { DATA_FILES } from '../contract/data-files.ts'
import { endExecutionsOfLostRuns, postgresChatRunStore } from '../db/postgres/chat-runs.ts'
import { openPostgres } from '../db/postgres/database.ts'
import { flowExecutionStore } from '../db/repositories/flow-executions.ts'
import { postgresJobStore } from '../db/postgres/jobs.ts'
import { joinCluster, type ClusterMember } from '../db/postgres/member.ts'
import { postgresRequestWindows } from '../db/postgres/request-windows.ts'
import { shareDatabase } from '../db/postgres/share-database.ts'
import type { DiskGuard } from '../db/disk-guard.ts'
import { refuseUnfinishedMove } from '../db/move/unfinished-move.ts'
import { keepSecretCheck, opensSealed } from '../db/secret-check.ts'
import type { Config } from '../kit/config.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import { type ReplicaStores, replicaStores } from '../stores/replica-stores.ts'
import type { Backend } from './backend.ts'
import { rowStores } from './row-stores.ts'

/** How often a member looks for executions whose member is gone, in milliseconds. */
const LOST_EVERY_MS = 5000

/** `SECRET_KEY` and `DATABASE_URL` are set: `refuseIneffective` checks it. */
type Settings = Pick<
  Config,
  'BLOB_URL' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATA_DIR' | 'SECRET_KEY' | 'IMAGE_MEMORY' | 'WARM'
>

/**
 * The share of the memory that vectors may take unless `IMAGE_MEMORY` is set. Each member is asked for every namespace, so without
 * a limit it would hold the vectors of all of them.
 */
const IMAGE_SHARE = 0.5

const imageBytes = (setting: number | undefined): number =>
  setting === undefined
    ? Math.min(totalmem(), process.constrainedMemory() || Infinity) * IMAGE_SHARE
    : setting * 2 ** 20

/**
 * A PostgreSQL database. The data directory has what belongs to this node: uploads that arrive, and the replica that it searches.
 *
 * @throws SluiceError as `openPostgres`; `database_shared`, `move_unfinished`
 */
export async function openClusterBackend(
  { BLOB_URL, DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR, SECRET_KEY, IMAGE_MEMORY, WARM }: Settings,
  guard: DiskGuard,
  log: Log,
): Promise<Backend> {
  const address = DATABASE_URL!
  // A connection that lasts: its locks and notifications are lost in a pooler.
  const direct = DATABASE_DIRECT_URL ?? address
  const database = await openPostgres(address, { direct: DATABASE_DIRECT_URL })
  const rows = rowStores(database.sql)
  let leave: (() => Promise<void>) | undefined
  let member: ClusterMember | undefined
  let stores: ReplicaStores
  try {
    await refuseUnfinishedMove(rows.settings, address)
    leave = await shareDatabase(direct, BLOB_URL !== undefined)
    member = joinCluster({ database, address: direct, log })
    await member.ready()
    stores = replicaStores(database, path.join(DATA_DIR, DATA_FILES.replica), Date.now, {
      memoryBytes: imageBytes(IMAGE_MEMORY),
      noteFailure: (error) => log.warn('vector-image-not-written', { reason: reasonOf(error) }),
      hasRoom: guard.hasRoom,
      noteCopied: (facts) => log.info('index-copied', facts),
      noteFetched: (facts) => log.info('index-fetched', facts),
      noteSaved: (facts) => log.info('index-saved', facts),
      noteCopyFailure: (what, error) => log.warn(`index-not-${what}`, { reason: reasonOf(error) }),
      noteWarm({ isLate, ...facts }) {
        if (isLate) log.warn('namespaces-still-cold', facts)
        else log.info('namespaces-warm', facts)
      },
      leases: member.leases,
    })
  } catch (error) {
    await member?.close()
    await leave?.()
    await database.close()
    throw error
  }
  const executions = flowExecutionStore(database.sql, endExecutionsOfLostRuns)
  // Where the database cannot be reached, the next call finds them.
  const endLost = () => executions.endLost(Date.now()).catch(() => {})
  const endingLost = setInterval(() => void endLost(), LOST_EVERY_MS).unref()
  return {
    ...rows,
    executions,
    jobs: postgresJobStore(database),
    windows: postgresRequestWindows(database),
    stores,
    async shareIndexes(bucket) {
      stores.share(bucket)
      await stores.warmUp.start(WARM)
    },
    cluster: member,
    sharedChatRuns: { store: postgresChatRunStore(database), doorbell: member.doorbell },

    async openSecret() {
      const sealed = await keepSecretCheck(rows.settings, SECRET_KEY!)
      if (!opensSealed(SECRET_KEY!, sealed))
        throw new SluiceError('secret_wrong', {
          source: 'The setting SECRET_KEY',
          hint: 'all servers of a database need the same SECRET_KEY; if it is lost, `sluice credential reset` lets them start with another, and the credentials have to be entered again',
        })
      return SECRET_KEY!
    },

    // Runs of other members may be open. A member that takes a namespace abandons the run that is open there.
    async recover() {},

    shortage: guard.shortage,
    whenRoom: guard.whenRoom,
    noteListening() {},

    connections: () => database.connections(),

    dependencies: [
      {
        name: 'database',
        check: () =>
          database.check().then(
            () => undefined,
            (error: unknown) => (error instanceof SluiceError ? error : new SluiceError('not_ready')),
          ),
      },
      {
        name: 'disk',
        async check() {
          const full = guard.shortage()
          return full && new SluiceError('read_only', full.facts)
        },
      },
    ],

    explain: async (error) => error,
    async stop() {
      clearInterval(endingLost)
    },
    async close() {
      await member.close()
      await leave()
      await database.close()
      guard.close()
    },
  }
}
