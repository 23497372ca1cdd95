import { setImmediate } from 'node:timers/promises'
import type {
  KnownFile,
  KnownText,
  LedgerChunk,
  LedgerRun,
  LedgerWriter,
  StoreView,
} from '../../contract/ledger.ts'
import { buffersOf, type PassageTerms, PassageTermsReader } from '../../keyword/passage-terms.ts'
import type { Clock } from '../../kit/clock.ts'
import { indexOf, type IndexRow } from '../index-row.ts'
import { chunkContents, countVisible, knownTexts, stagedIds, textsOf, visibleIds } from './chunks.ts'
import type { Connection, Row } from './connection.ts'
import type { Database } from './database.ts'
import { abandonRun, setDimensions } from './indexes.ts'
import { publishRun } from './publish.ts'
import { retireStaleRebuild } from './rebuild.ts'
import { forgetExpiredRemoval, restageRemoved } from './removed-sources.ts'
import { namesOfSources } from './source-list.ts'
import { SourceMemory } from './source-memory.ts'
import { stageChunks } from './stage.ts'
import { sweepIndex } from './sweep.ts'

/** How many ids one read brings: a few milliseconds. */
const IDS_PER_READ = 5000

/** How many chunks one write deletes at most, so that other writes get their turn. */
export const SWEEP_LIMIT = 500

/** How long a half-made index is kept for the next attempt, in milliseconds. */
const REBUILD_KEPT_MS = 24 * 3_600_000

/** The run of a view without staged chunks: no run has this number. */
const NO_RUN = -1

/** The chunks of an index that readers see; with a run, those that it has staged too. */
export function ledgerView(
  reader: Connection,
  index: { id: number; dimensions: number | undefined },
  run = NO_RUN,
  memory = new SourceMemory(reader, index.id),
): StoreView {
  return {
    dimensions: index.dimensions,

    async known(source, hashes) {
      const known = hashes.map((hash) => memory.recall(source, hash))
      const unknown = [...known.keys()].filter((i) => known[i] === undefined)
      if (unknown.length === 0) return known as KnownText[]
      const answers = reader.snapshot(() =>
        knownTexts(
          reader,
          { indexId: index.id, run, source },
          unknown.map((i) => hashes[i]!),
        ),
      )
      for (const [n, i] of unknown.entries()) known[i] = answers[n]
      return known as KnownText[]
    },

    async file(name) {
      return reader.get<KnownFile & Row>(
        'SELECT fingerprint, chunks FROM files WHERE index_id = ? AND name = ?',
        index.id,
        name,
      )
    },

    async *visible(source) {
      let after = 0
      for (;;) {
        const ids = visibleIds(reader, index.id, source, after, IDS_PER_READ)
        if (ids.length > 0) yield ids
        if (ids.length < IDS_PER_READ) return
        after = ids.at(-1)!
        await setImmediate()
      }
    },

    async contents(ids) {
      return chunkContents(reader, ids)
    },

    async sources() {
      return namesOfSources(reader, index.id)
    },

    async count() {
      return countVisible(reader, index.id)
    },
  }
}

type WriterOptions = {
  database: Database
  clock: Clock
  index: IndexRow
  run: number
  memory?: SourceMemory
  /** Counts the staged chunks by the names of their sources. */
  stagedOf?: Map<string, number>
}

/** So many characters are read before other work gets its turn: a third of a millisecond. */
const TURN_CHARACTERS = 16 * 1024

/**
 * The terms of the first texts that chunks bring: of as many as can be read while the writing thread is busy. It reads the
 * others, so that neither thread waits for the other while a large upsert is written.
 */
async function readTerms(chunks: readonly LedgerChunk[], isBusy: () => boolean): Promise<PassageTerms> {
  const reader = new PassageTermsReader()
  let characters = TURN_CHARACTERS
  for (const { text } of chunks) {
    if (text === undefined) continue
    if (characters >= TURN_CHARACTERS) {
      if (reader.size > 0) await setImmediate()
      if (!isBusy()) break
      characters = 0
    }
    reader.read(text)
    characters += text.length
  }
  return reader.end()
}

/** Stages into an index, and sweeps it. */
export function ledgerWriter({ database, clock, index, run, memory, stagedOf }: WriterOptions): LedgerWriter {
  let dimensions = index.dimensions ?? undefined
  const { id: indexId } = index
  /** The terms of one batch after another are read, so that batches are written in the order in which they came. */
  let reading: Promise<unknown> = Promise.resolve()
  /** How many batches the writing thread has to write. */
  let staging = 0
  return {
    index: indexOf(index),

    get dimensions() {
      return dimensions
    },

    async stage(chunks, length, vectors) {
      for (const { source, hash } of chunks) {
        memory?.noteStaged(source, hash)
        stagedOf?.set(source, (stagedOf.get(source) ?? 0) + 1)
      }
      const read = reading.then(() => readTerms(chunks, () => staging > 0))
      reading = read
      const terms = await read
      const writes: Promise<unknown>[] = []
      if (dimensions === undefined && chunks.some(({ text }) => text !== undefined)) {
        dimensions = length
        writes.push(database.write(setDimensions, { indexId, dimensions }))
      }
      const request = { indexId, run, chunks, dimensions: length, vectors, terms, now: clock() }
      const moved = [...(vectors ? [vectors.buffer as ArrayBuffer] : []), ...buffersOf(terms)]
      staging++
      writes.push(database.write(stageChunks, request, moved).finally(() => staging--))
      await Promise.all(writes)
    },

    async texts(hashes) {
      return textsOf(database.reader, indexId, hashes)
    },

    async sweep(gone) {
      while (await database.write(forgetExpiredRemoval, { indexId, now: clock() }));
      for (let more = true; more; ) {
        const step = await database.write(sweepIndex, { indexId, limit: SWEEP_LIMIT })
        if (step.pointIds.length > 0) await gone(step.pointIds)
        more = step.more
      }
      await database.write(retireStaleRebuild, { indexId, before: clock() - REBUILD_KEPT_MS })
      await database.giveBack()
    },

    abandon: () => database.whenRoom(() => database.write(abandonRun, run)),
  }
}

/** One run in an index. */
export function ledgerRun(options: Omit<WriterOptions, 'memory' | 'stagedOf'>): LedgerRun {
  const { database, clock, index, run } = options
  const memory = new SourceMemory(database.reader, index.id, true)
  const stagedOf = new Map<string, number>()
  const writer = ledgerWriter({ ...options, memory, stagedOf })
  const key = { id: index.id, dimensions: index.dimensions ?? undefined }
  return {
    ...ledgerView(database.reader, key, run, memory),
    ...writer,

    get dimensions() {
      return writer.dimensions
    },

    async staged(source) {
      return stagedIds(database.reader, { indexId: index.id, run, source })
    },

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
