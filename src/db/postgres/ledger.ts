import type { Ledger } from '../../contract/ledger.ts'
import type { Leases } from '../../contract/leases.ts'
import type { Clock } from '../../kit/clock.ts'
import { openRun } from '../ledger/indexes.ts'
import { ledgerOf } from '../ledger/ledger.ts'
import { liveIndex } from '../ledger/live-index.ts'
import type { PostgresDatabase } from './database.ts'
import { countInvisible, findUnswept } from './invisible.ts'
import { requireLease } from './leases.ts'
import { knownIn, ledgerRun, ledgerSweeper, ledgerWriter, SWEEP_LIMIT } from './ledger-run.ts'
import { rebuildReads } from './rebuild.ts'
import { dropLeftTables, OWN_TABLES, type OwnTables } from './own-tables.ts'
import { type RunWatch, watchedRebuild } from './run-watch.ts'
import type { SqlSession } from './session.ts'
import { sweepRemovedIndex } from './sweep.ts'

/**
 * The ledger in PostgreSQL.
 *
 * @param ownTables which indexes have tables of their own
 * @param leases the leases of this node: nothing begins in a namespace whose lease it does not have. What has begun is ended by the
 *   next lease, which abandons its run. Without them, there is one member.
 * @param watch is told what runs write
 */
export function postgresLedger(
  database: PostgresDatabase,
  clock: Clock = Date.now,
  leases?: Pick<Leases, 'held'>,
  { ownTables = OWN_TABLES, watch }: { ownTables?: OwnTables; watch?: RunWatch } = {},
): Ledger {
  const { reader, sql } = database
  /** Does work that changes a namespace. @throws SluiceError `turn_lost` */
  const underLease = <T>(namespace: string, work: (session: SqlSession) => Promise<T>): Promise<T> =>
    database.transaction(async (session) => {
      if (leases) await requireLease(session, namespace, leases.held(namespace)?.epoch)
      return work(session)
    })
  const ledger = ledgerOf(sql, clock, {
    async open(request) {
      const opened = await underLease(request.namespace, (session) =>
        openRun.run(session, { ...request, now: clock() }),
      )
      return ledgerRun({ database, clock, ownTables, watch, ...opened })
    },

    unswept: () => database.snapshot((session) => findUnswept(session, clock(), ownTables)),
    invisible: () => countInvisible(reader),
    write: (namespace, write, request) => underLease(namespace, (session) => write.run(session, request)),
    known: (indexId) => knownIn(reader, indexId),
    writer: (opened) => ledgerWriter({ database, clock, ownTables, watch, ...opened }),
    rebuildReads: (begun) => rebuildReads(reader, begun),
    find: (namespace) => underLease(namespace, (session) => liveIndex(session, namespace)),
    sweeper: (index) => ledgerSweeper({ database, clock, ownTables, index }),
    sweepRemovedIndex: (indexId) =>
      database.transaction((session) => sweepRemovedIndex(session, { indexId, limit: SWEEP_LIMIT })),
    vacuumStep: () => dropLeftTables(database),
  })
  return {
    ...ledger,
    async rebuild(request) {
      const rebuild = await ledger.rebuild(request)
      return rebuild && watchedRebuild(watch, rebuild)
    },
  }
}
