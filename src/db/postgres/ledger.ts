import type { Ledger } from '../../contract/ledger.ts'
import type { NodeTurns } from '../../contract/turns.ts'
import type { Clock } from '../../kit/clock.ts'
import { indexIdOf, NO_INDEX, REBUILD_KEPT_MS } from '../index-row.ts'
import { ledgerReads } from '../ledger/ledger-reads.ts'
import { openRun, removeIndex } from '../ledger/indexes.ts'
import { ledgerView } from '../ledger/ledger-view.ts'
import { liveIndex, retiredIndexes } from '../ledger/live-index.ts'
import { ledgerRebuild, openRebuild } from '../ledger/rebuild.ts'
import type { PostgresDatabase } from './database.ts'
import { requireTurn } from './lanes.ts'
import { countInvisible, findUnswept } from './invisible.ts'
import { knownIn, ledgerRun, ledgerSweeper, ledgerWriter, SWEEP_LIMIT } from './ledger-run.ts'
import { rebuildReads } from './rebuild.ts'
import type { SqlSession } from './session.ts'
import { sweepRetired } from './sweep.ts'

/**
 * The ledger in PostgreSQL: tables of `ledger-tables.ts`.
 *
 * @param turns the turns of this node: nothing begins in a namespace whose turn it does not have. What has begun is ended by the
 *   next turn, which abandons its run. Without them, there is one node.
 */
export function postgresLedger(
  database: PostgresDatabase,
  clock: Clock = Date.now,
  turns?: Pick<NodeTurns, 'held'>,
): Ledger {
  /** Does work that changes a namespace. @throws SluiceError `turn_lost` */
  const inTurn = <T>(namespace: string, work: (sql: SqlSession) => Promise<T>): Promise<T> =>
    database.transaction(async (sql) => {
      if (turns) await requireTurn(sql, namespace, turns.held(namespace)?.epoch)
      return work(sql)
    })
  return {
    ...ledgerReads(database),

    view(index) {
      const key = index ? { id: indexIdOf(index.collection), dimensions: index.dimensions } : NO_INDEX
      return ledgerView(database.reader, key, knownIn(database.reader, key.id))
    },

    async open(request) {
      const { run, index } = await inTurn(request.namespace, (sql) =>
        openRun.run(sql, { ...request, now: clock() }),
      )
      return ledgerRun({ database, clock, index, run })
    },

    async rebuild(request) {
      const begun = await inTurn(request.namespace, (sql) =>
        openRebuild.run(sql, { ...request, now: clock() }),
      )
      if (!begun) return undefined
      const writer = ledgerWriter({ database, clock, ...begun })
      const reads = rebuildReads(database.reader, begun)
      return ledgerRebuild({ database: database.sql, clock, begun, writer, reads })
    },

    unswept: () => {
      const now = clock()
      return database.snapshot((sql) => findUnswept(sql, { now, before: now - REBUILD_KEPT_MS }))
    },

    async sweeper(namespace) {
      const index = await inTurn(namespace, (sql) => liveIndex(sql, namespace))
      return index && ledgerSweeper({ database, clock, index })
    },

    invisible: () => countInvisible(database.reader),

    retire: (namespace) => inTurn(namespace, (sql) => removeIndex.run(sql, namespace)),

    async clearRetired(engine, drop) {
      for (const indexId of await retiredIndexes(database.reader, engine)) {
        await drop(`${indexId}`)
        for (let more = true; more; )
          more = await database.transaction((sql) => sweepRetired(sql, { indexId, limit: SWEEP_LIMIT }))
      }
    },
  }
}
