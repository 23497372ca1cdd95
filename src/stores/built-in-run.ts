import { setImmediate } from 'node:timers/promises'
import type { KnownText, StoreRun, StoreView } from '../contract/chunk-store.ts'
import { countVisible, knownTexts, listSources, stagedIds, visibleIds } from '../db/sqlite/chunks.ts'
import type { Connection } from '../db/sqlite/connection.ts'
import type { Database } from '../db/sqlite/database.ts'
import { abandonRun, type IndexRow, setDimensions } from '../db/sqlite/indexes.ts'
import { publishRun } from '../db/sqlite/publish.ts'
import { stageChunks } from '../db/sqlite/stage.ts'
import type { Clock } from '../kit/clock.ts'
import { SourceMemory } from './source-memory.ts'

/** How many ids one read brings: a few milliseconds. */
const IDS_PER_READ = 5000

/** No run has this number: a view sees what every reader sees. */
const NO_RUN = -1

/** What an index holds; `run` sees its own staged chunks besides. */
export function builtInView(
  reader: Connection,
  index: Pick<IndexRow, 'id' | 'dimensions'>,
  run = NO_RUN,
  memory = new SourceMemory(reader, index.id),
): StoreView {
  return {
    dimensions: index.dimensions ?? undefined,

    async known(source, hashes) {
      return reader.snapshot(() => {
        const known = hashes.map((hash) => memory.recall(source, hash))
        const asked = [...known.keys()].filter((i) => known[i] === undefined)
        const answers = knownTexts(
          reader,
          { indexId: index.id, run, source },
          asked.map((i) => hashes[i]!),
        )
        for (const [n, i] of asked.entries()) known[i] = answers[n]
        return known as KnownText[]
      })
    },

    async file(name) {
      return reader.get<{ fingerprint: string; chunks: number }>(
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

    async sources() {
      return listSources(reader, index.id).map((row) => row.source)
    },

    async count() {
      return countVisible(reader, index.id)
    },
  }
}

type Options = { database: Database; clock: Clock; index: IndexRow; run: number; sweep(): Promise<void> }

/** A run over the built-in store: chunk, vector, record and text-index row are one transaction, always. */
export function builtInRun({ database, clock, index, run, sweep }: Options): StoreRun {
  let dimensions = index.dimensions ?? undefined
  const memory = new SourceMemory(database.reader, index.id)
  return {
    ...builtInView(database.reader, index, run, memory),

    get dimensions() {
      return dimensions
    },

    async stage(chunks, vectors, length) {
      if (dimensions === undefined && vectors.length > 0) {
        dimensions = length
        await database.write(setDimensions, { indexId: index.id, dimensions })
      }
      for (const { source, hash } of chunks) memory.noteStaged(source, hash)
      const request = { indexId: index.id, run, chunks, dimensions: length, vectors, now: clock() }
      await database.write(stageChunks, request, [vectors.buffer as ArrayBuffer])
    },

    async staged(source) {
      return stagedIds(database.reader, { indexId: index.id, run, source })
    },

    publish: (publication) =>
      database.write(publishRun, { run, indexId: index.id, ...publication, now: clock() }),
    sweep,
    abandon: () => database.whenRoom(() => database.write(abandonRun, run)),
  }
}
