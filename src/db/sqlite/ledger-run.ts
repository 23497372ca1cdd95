import type { KnownText, LedgerRun, LedgerSweeper, LedgerWriter, StoreView } from '../../contract/ledger.ts'
import type { Clock } from '../../kit/clock.ts'
import { indexOf, type IndexRow, REBUILD_KEPT_MS } from '../index-row.ts'
import { abandonRun, setDimensions } from '../ledger/indexes.ts'
import { ledgerView, NO_RUN, stagedIds } from '../ledger/ledger-view.ts'
import { removeStaleRebuild } from '../ledger/rebuild.ts'
import { knownTexts, textsOf } from './chunks.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { publishRun, stageChunks, sweepIndex } from './run-writes.ts'
import { indexTexts } from './index-texts.ts'
import { endExpiredRemoval, restageRemoved } from './removed-sources.ts'
import { SourceMemory } from './source-memory.ts'
import { keepValues } from './value-blocks.ts'

/** How many chunks one write deletes at most, so that other writes get their turn. */
export const SWEEP_LIMIT = 500

/** What an index has of texts in a source: the chunks that readers see, and those of a run. */
export const knownIn =
  (
    reader: Connection,
    indexId: number,
    run = NO_RUN,
    memory = new SourceMemory(reader, indexId),
  ): StoreView['known'] =>
  async (source, hashes) => {
    const known = hashes.map((hash) => memory.recall(source, hash))
    const unknown = [...known.keys()].filter((i) => known[i] === undefined)
    if (unknown.length === 0) return known as KnownText[]
    const answers = reader.snapshot(() =>
      knownTexts(
        reader,
        { indexId, run, source },
        unknown.map((i) => hashes[i]!),
      ),
    )
    memory.noteMisses(answers.filter(({ embedded }) => !embedded).length)
    for (const [n, i] of unknown.entries()) known[i] = answers[n]
    return known as KnownText[]
  }

type WriterOptions = {
  database: Database
  clock: Clock
  index: IndexRow
  run: number
  /** The engine searches words: none are stored here, and a sweep deletes those of before. */
  engineWords?: boolean | undefined
  memory?: SourceMemory
  /** Counts the staged chunks by the names of their sources. */
  stagedOf?: Map<string, number>
}

/** Stages into an index, and sweeps it. */
export function ledgerWriter(options: WriterOptions): LedgerWriter {
  const { database, clock, index, run, engineWords = false, memory, stagedOf } = options
  let dimensions = index.dimensions ?? undefined
  const { id: indexId } = index
  const texts = indexTexts(database.reader, indexId)
  return {
    ...{ index: indexOf(index), run },

    get dimensions() {
      return dimensions
    },

    async stage(chunks, length, vectors) {
      if (dimensions === undefined && chunks.some(({ text }) => text !== undefined)) {
        dimensions = length
        await database.sql.write(setDimensions, { indexId, dimensions })
      }
      for (const { source, hash } of chunks) {
        memory?.noteStaged(source, hash)
        stagedOf?.set(source, (stagedOf.get(source) ?? 0) + 1)
      }
      const isNew = Uint8Array.from(chunks, ({ hash, text }) =>
        Number(text !== undefined && texts.note(hash)),
      )
      const what = { indexId, run, chunks, isNew, engineWords }
      const request = { ...what, dimensions: length, vectors, now: clock() }
      await database.write(stageChunks, request, vectors ? [vectors.buffer as ArrayBuffer] : [])
    },

    async texts(hashes) {
      return textsOf(database.reader, indexId, hashes)
    },

    sweep: ledgerSweeper(options).sweep,
    abandon: () => database.whenRoom(() => database.sql.write(abandonRun, run)),
  }
}

/** Sweeps an index. */
export function ledgerSweeper({
  database,
  clock,
  index,
  engineWords = false,
}: Pick<WriterOptions, 'database' | 'clock' | 'index' | 'engineWords'>): LedgerSweeper {
  const { id: indexId } = index
  return {
    index: indexOf(index),

    async sweep(gone, goOn = () => true) {
      while (await database.write(endExpiredRemoval, { indexId, now: clock() })) if (!goOn()) return false
      for (let more = true; more; ) {
        const step = await database.write(sweepIndex, { indexId, limit: SWEEP_LIMIT, engineWords })
        if (step.pointIds.length > 0) await gone(step.pointIds)
        more = step.more
        if (more && !goOn()) return false
      }
      while (!database.shortage() && (await database.write(keepValues, { indexId })))
        if (!goOn()) return false
      await database.sql.write(removeStaleRebuild, { indexId, before: clock() - REBUILD_KEPT_MS })
      await database.vacuumStep()
      return true
    },
  }
}

/** One run in an index. */
export function ledgerRun(options: Omit<WriterOptions, 'memory' | 'stagedOf'>): LedgerRun {
  const { database, clock, index, run } = options
  const memory = new SourceMemory(database.reader, index.id, indexTexts(database.reader, index.id))
  const stagedOf = new Map<string, number>()
  const writer = ledgerWriter({ ...options, memory, stagedOf })
  const key = { id: index.id, dimensions: index.dimensions ?? undefined }
  return {
    ...ledgerView(database.sql.reader, key, knownIn(database.reader, index.id, run, memory)),
    ...writer,

    get dimensions() {
      return writer.dimensions
    },

    staged: (source) => stagedIds(database.sql.reader, { indexId: index.id, run, source }),

    async restage(source) {
      let staged = 0
      for (let next: number | undefined = 0; next !== undefined; ) {
        const step: { count: number; after: number | undefined } = await database.write(restageRemoved, {
          indexId: index.id,
          run,
          source,
          after: next,
        })
        staged += step.count
        next = step.after
      }
      stagedOf.set(source, staged)
      return staged
    },

    publish: (publication) =>
      database.write(publishRun, { run, indexId: index.id, stagedOf, ...publication, now: clock() }),
  }
}
