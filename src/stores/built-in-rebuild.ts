import { setImmediate } from 'node:timers/promises'
import type { StoreRebuild, StoreRun } from '../contract/chunk-store.ts'
import { countVisible } from '../db/sqlite/chunks.ts'
import type { Database } from '../db/sqlite/database.ts'
import {
  chunkRange,
  type OpenRebuild,
  switchIndex,
  textWithoutVector,
  visibleBetween,
} from '../db/sqlite/rebuild.ts'
import type { Clock } from '../kit/clock.ts'

/** Over how many ids one read goes: a few milliseconds, whoever has the chunks. */
const IDS_PER_READ = 1000

type Options = {
  database: Database
  clock: Clock
  begun: OpenRebuild
  /** Writes into the new index. */
  writing: StoreRun
  /** Told when the old one is nobody's any more. */
  replaced(): void
}

/** A namespace of the built-in store gets new vectors: an index is made beside the old one, then they change places. */
export function builtInRebuild({ database, clock, begun, writing, replaced }: Options): StoreRebuild {
  const { reader } = database
  const { old, index, run } = begun
  return {
    get dimensions() {
      return writing.dimensions
    },
    total: countVisible(reader, old.id),
    stage: writing.stage,

    async *chunks() {
      const { first, last } = chunkRange(reader, old.id)
      for (let after = first; after < last; after += IDS_PER_READ) {
        const chunks = visibleBetween(reader, old.id, after, after + IDS_PER_READ)
        if (chunks.length > 0) yield chunks
        else await setImmediate()
      }
    },

    async text(chunk) {
      return textWithoutVector(reader, index.id, chunk)
    },

    async publish(stagedCount, receipt) {
      await database.write(switchIndex, { run, indexId: index.id, stagedCount, receipt, now: clock() })
      replaced()
    },

    sweep: writing.sweep,
    abandon: writing.abandon,
  }
}
