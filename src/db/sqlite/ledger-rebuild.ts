import { setImmediate } from 'node:timers/promises'
import type { LedgerRebuild } from '../../contract/ledger.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from './database.ts'
import { ledgerWriter } from './ledger-run.ts'
import { chunkRange, type OpenRebuild, switchIndex, textWithoutVector, visibleBetween } from './rebuild.ts'

/** How many ids one read spans, of all namespaces: a few milliseconds. */
const IDS_PER_READ = 1000

type Options = { database: Database; clock: Clock; begun: OpenRebuild }

/** A second index of a namespace beside the first; publishing it makes it the one that readers see. */
export function ledgerRebuild({ database, clock, begun }: Options): LedgerRebuild {
  const { reader } = database
  const { old, index, run } = begun
  const writer = ledgerWriter({ database, clock, index, run })
  return {
    ...writer,

    get dimensions() {
      return writer.dimensions
    },

    total: old.chunks,

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

    publish: (stagedCount, receipt) =>
      database.write(switchIndex, { run, indexId: index.id, stagedCount, receipt, now: clock() }),
  }
}
