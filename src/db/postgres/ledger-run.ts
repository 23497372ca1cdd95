import type { LedgerRun, LedgerSweeper, LedgerWriter, StoreView } from '../../contract/ledger.ts'
import type { Clock } from '../../kit/clock.ts'
import { SluiceError } from '../../kit/errors.ts'
import { indexOf, type IndexRow, REBUILD_KEPT_MS } from '../index-row.ts'
import { abandonRun, setDimensions } from '../ledger/indexes.ts'
import { ledgerView, NO_RUN, stagedIds } from '../ledger/ledger-view.ts'
import { removeStaleRebuild } from '../ledger/rebuild.ts'
import { knownTexts, textsOf } from './chunks.ts'
import type { PostgresDatabase } from './database.ts'
import {
  makeOwnTables,
  moveToOwnTables,
  type OwnTables,
  settleSharedTables,
  toBeMoved,
} from './own-tables.ts'
import { publishRun } from './publish.ts'
import { endExpiredRemovals, restageRemoved } from './removed-sources.ts'
import type { SqlSession } from './session.ts'
import { type RunWatch, watched } from './run-watch.ts'
import { refuseClosedRun, StageMemory, stageChunks } from './stage.ts'
import { sweepChanges, sweepIndex } from './sweep.ts'

/** How many chunks one transaction deletes at most. */
export const SWEEP_LIMIT = 5000

/** How often at most one sweep moves rows to the tables of an index, before others are swept. */
const MOVES_A_SWEEP = 20

/** How long a statement may take that works on very many rows, in milliseconds. */
const LONG_MS = 60_000

const MAKING = { limitMs: LONG_MS, repeatable: true }

export type RunOptions = {
  database: PostgresDatabase
  clock: Clock
  ownTables: OwnTables
  index: IndexRow
  run: number
  watch?: RunWatch | undefined
}

/** What an index has of texts in a source: the chunks that readers see, and those of a run. */
export const knownIn =
  (sql: SqlSession, indexId: number, run = NO_RUN): StoreView['known'] =>
  (source, hashes) =>
    knownTexts(sql, { indexId, run, source }, hashes)

/** Stages into an index, and sweeps it. */
export function ledgerWriter({ database, clock, ownTables, index, run, watch }: RunOptions): LedgerWriter {
  const { id: indexId } = index
  const memory = new StageMemory()
  let dimensions = index.dimensions ?? undefined
  let staged = 0
  /** How many chunks are staged when tables are made for the index. */
  let tablesAt = ownTables.from - index.chunks

  /** Where their lock is not given in time, they are made later. */
  async function giveTables(): Promise<void> {
    tablesAt = staged + ownTables.from
    await database
      .transaction((sql) => makeOwnTables(sql, indexId, ownTables), MAKING)
      .catch((error: unknown) => {
        if (!(error instanceof SluiceError && error.code === 'database_busy')) throw error
      })
  }

  return {
    ...{ index: indexOf(index), run },

    get dimensions() {
      return dimensions
    },

    async stage(chunks, length, vectors) {
      if (!memory.hasTables && staged >= tablesAt) await giveTables()
      const isFirst = dimensions === undefined && chunks.some(({ text }) => text !== undefined)
      const { chunkIds, sources } = await database.transaction(
        async (transaction) => {
          if (isFirst) await setDimensions.run(transaction, { indexId, dimensions: length })
          const request = { indexId, run, chunks, dimensions: length, vectors, now: clock() }
          return stageChunks(transaction, request, memory)
        },
        { limitMs: LONG_MS },
      )
      for (const [name, id] of sources) memory.sources.set(name, id)
      if (isFirst) dimensions = length
      staged += chunks.length
      await watch?.staged({ index, run }, { chunks, ids: chunkIds, dimensions: length, vectors })
    },

    texts: (hashes) => textsOf(database.reader, indexId, hashes),

    sweep: indexSweep(database, clock, indexId),

    async abandon() {
      await watch?.ended({ index, run })
      await database.sql.write(abandonRun, run)
    },
  }
}

const indexSweep =
  (database: PostgresDatabase, clock: Clock, indexId: number): LedgerSweeper['sweep'] =>
  async (gone, goOn = () => true) => {
    await database.transaction((sql) => endExpiredRemovals(sql, indexId, clock()), { limitMs: LONG_MS })
    for (let more = true; more; ) {
      const step = await database.transaction((sql) => sweepIndex(sql, { indexId, limit: SWEEP_LIMIT }), {
        limitMs: LONG_MS,
      })
      if (step.pointIds.length > 0) await gone(step.pointIds)
      more = step.more
      if (more && !goOn()) return false
    }
    await database.transaction(async (sql) => {
      await removeStaleRebuild.run(sql, { indexId, before: clock() - REBUILD_KEPT_MS })
      await sweepChanges(sql, indexId)
    })
    return true
  }

/** Sweeps an index, and moves some of its rows to tables of its own where it is large. What is left is moved by the next sweeps. */
export function ledgerSweeper({ database, clock, ownTables, index }: Omit<RunOptions, 'run'>): LedgerSweeper {
  const { id: indexId } = index
  const sweep = indexSweep(database, clock, indexId)
  const isToBeMoved = () =>
    database.reader.get(`SELECT 1 FROM indexes WHERE id = $1 AND ${toBeMoved(ownTables)}`, indexId)
  return {
    index: indexOf(index),

    async sweep(gone, goOn = () => true) {
      if (!(await sweep(gone, goOn))) return false
      if (!(await isToBeMoved())) return true
      await settleSharedTables(database)
      await database.transaction((sql) => makeOwnTables(sql, indexId, ownTables), MAKING)
      const move = () =>
        database.transaction((sql) => moveToOwnTables(sql, { indexId, limit: SWEEP_LIMIT }), {
          limitMs: LONG_MS,
        })
      for (let moves = 0; moves < MOVES_A_SWEEP; moves++) {
        if (!goOn()) return false
        if (!(await move())) break
      }
      return true
    },
  }
}

/** One run in an index. */
export function ledgerRun(options: RunOptions): LedgerRun {
  const { database, clock, index, run, watch } = options
  /** How many chunks the run has staged, by the names of their sources. */
  const stagedOf = new Map<string, number>()
  const writer = ledgerWriter(options)
  const key = { id: index.id, dimensions: index.dimensions ?? undefined }
  return {
    ...ledgerView(database.reader, key, knownIn(database.reader, index.id, run)),
    ...writer,

    get dimensions() {
      return writer.dimensions
    },

    async stage(chunks, length, vectors) {
      await writer.stage(chunks, length, vectors)
      for (const { source } of chunks) stagedOf.set(source, (stagedOf.get(source) ?? 0) + 1)
    },

    staged: (source) => stagedIds(database.reader, { indexId: index.id, run, source }),

    async restage(source) {
      const staged = await database.transaction(
        async (sql) => {
          await refuseClosedRun(sql, run)
          return restageRemoved(sql, { indexId: index.id, run, source })
        },
        { limitMs: LONG_MS },
      )
      stagedOf.set(source, staged)
      return staged
    },

    publish: (publication) =>
      watched(watch, { index, run }, publication, () =>
        database.transaction(
          (sql) => publishRun(sql, { run, indexId: index.id, stagedOf, ...publication, now: clock() }),
          { limitMs: LONG_MS },
        ),
      ),
  }
}
