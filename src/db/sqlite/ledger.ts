import type { Ledger } from '../../contract/ledger.ts'
import type { Clock } from '../../kit/clock.ts'
import { indexIdOf, NO_INDEX, REBUILD_KEPT_MS } from '../index-row.ts'
import { ledgerReads } from '../ledger/ledger-reads.ts'
import { openRun, openRunInIndex, removeIndex } from '../ledger/indexes.ts'
import { ledgerView } from '../ledger/ledger-view.ts'
import { liveIndex, retiredIndexes } from '../ledger/live-index.ts'
import { ledgerRebuild, openRebuild } from '../ledger/rebuild.ts'
import type { Database } from './database.ts'
import { countInvisible, findUnswept } from './invisible.ts'
import { knownIn, ledgerRun, ledgerSweeper, ledgerWriter, SWEEP_LIMIT } from './ledger-run.ts'
import { rebuildReads } from './rebuild.ts'
import { sweepRetired } from './sweep.ts'

/** The ledger in SQLite: tables of `schema.ts`, read here and written by the writing thread. */
export function sqliteLedger(database: Database, clock: Clock = Date.now): Ledger {
  const { reader, sql } = database
  return {
    ...ledgerReads(database.sql),

    view(index) {
      const key = index ? { id: indexIdOf(index.collection), dimensions: index.dimensions } : NO_INDEX
      return ledgerView(database.sql.reader, key, knownIn(reader, key.id))
    },

    async open(request) {
      const found = await liveIndex(sql.reader, request.namespace)
      const stays = found?.embedder === request.embedder && found.engine === request.engine
      const { run, index } = await sql.write(stays ? openRunInIndex : openRun, {
        ...request,
        now: clock(),
      })
      return ledgerRun({ database, clock, index, run })
    },

    async rebuild(request) {
      const begun = await sql.write(openRebuild, { ...request, now: clock() })
      if (!begun) return undefined
      const writer = ledgerWriter({ database, clock, ...begun })
      return ledgerRebuild({ database: sql, clock, begun, writer, reads: rebuildReads(database, begun) })
    },

    async unswept() {
      const now = clock()
      return findUnswept(reader, { now, before: now - REBUILD_KEPT_MS })
    },

    async sweeper(namespace) {
      const index = await liveIndex(sql.reader, namespace)
      return index && ledgerSweeper({ database, clock, index })
    },

    invisible: () => countInvisible(reader),

    retire: (namespace) => sql.write(removeIndex, namespace),

    async clearRetired(engine, drop) {
      for (const indexId of await retiredIndexes(database.sql.reader, engine)) {
        await drop(`${indexId}`)
        for (let more = true; more; )
          more = await database.write(sweepRetired, { indexId, limit: SWEEP_LIMIT })
        await database.giveBack()
      }
    },
  }
}
