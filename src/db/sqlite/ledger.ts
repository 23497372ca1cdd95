import type { Ledger } from '../../contract/ledger.ts'
import type { Clock } from '../../kit/clock.ts'
import { openRun, openRunInIndex } from '../ledger/indexes.ts'
import { ledgerOf } from '../ledger/ledger.ts'
import { liveIndex } from '../ledger/live-index.ts'
import type { Database } from './database.ts'
import { countInvisible, findUnswept } from './invisible.ts'
import { knownIn, ledgerRun, ledgerSweeper, ledgerWriter, SWEEP_LIMIT } from './ledger-run.ts'
import { rebuildReads } from './rebuild.ts'
import { sweepRemovedIndex } from './run-writes.ts'

/** The ledger in SQLite: tables of `schema.ts`, read here and written by the writing thread. */
export function sqliteLedger(database: Database, clock: Clock = Date.now): Ledger {
  const { reader, sql } = database
  return ledgerOf(sql, clock, {
    async open(request) {
      const found = await liveIndex(sql.reader, request.namespace)
      const stays = found?.embedder === request.embedder && found.engine === request.engine
      const opened = await sql.write(stays ? openRunInIndex : openRun, { ...request, now: clock() })
      return ledgerRun({ database, clock, ...opened, engineWords: request.engineWords })
    },

    unswept: async () => findUnswept(reader, clock()),
    invisible: () => countInvisible(reader),
    write: (_, write, request) => sql.write(write, request),
    known: (indexId) => knownIn(reader, indexId),
    writer: (opened, { engineWords }) => ledgerWriter({ database, clock, ...opened, engineWords }),
    rebuildReads: (begun) => rebuildReads(database, begun),
    find: (namespace) => liveIndex(sql.reader, namespace),
    sweeper: (index, engineWords) => ledgerSweeper({ database, clock, index, engineWords }),
    sweepRemovedIndex: (indexId) => database.write(sweepRemovedIndex, { indexId, limit: SWEEP_LIMIT }),
    vacuumStep: () => database.vacuumStep(),
  })
}
