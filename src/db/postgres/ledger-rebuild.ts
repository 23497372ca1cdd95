import type { LedgerRebuild } from '../../contract/ledger.ts'
import { type RunOptions, ledgerWriter } from './ledger-run.ts'
import { type OpenRebuild, switchIndex, textWithoutVector, visibleAfter } from './rebuild.ts'

/** How many chunks one read brings. */
const CHUNKS_PER_READ = 1000

/** A second index of a namespace beside the first; publishing it makes it the one that readers see. */
export function ledgerRebuild({
  database,
  clock,
  begun: { old, index, run },
}: Pick<RunOptions, 'database' | 'clock'> & { begun: OpenRebuild }): LedgerRebuild {
  const writer = ledgerWriter({ database, clock, index, run })
  return {
    ...writer,

    get dimensions() {
      return writer.dimensions
    },

    total: old.chunks,

    async *chunks() {
      for (let after = 0; ; ) {
        const chunks = await visibleAfter(database.reader, old.id, after, CHUNKS_PER_READ)
        if (chunks.length > 0) yield chunks
        if (chunks.length < CHUNKS_PER_READ) return
        after = chunks.at(-1)!.id
      }
    },

    text: (chunk) => textWithoutVector(database.reader, index.id, chunk),

    publish: (stagedCount, receipt) =>
      database.transaction((sql) =>
        switchIndex(sql, { run, indexId: index.id, stagedCount, receipt, now: clock() }),
      ),
  }
}
