import type { KnownFile, StoreView } from '../../contract/ledger.ts'
import { droppedCountsOf, type WithDroppedText } from '../rows/dropped.ts'
import { chunkContents, countVisible, knownTexts, visibleIds } from './chunks.ts'
import type { SqlSession } from './session.ts'
import { namesOfSources } from './source-list.ts'

/** How many ids one read brings. */
const IDS_PER_READ = 5000

/** The run of a view without staged chunks: no run has this number. */
const NO_RUN = -1

/** The chunks of an index that readers see; with a run, those that it has staged too. */
export function ledgerView(
  sql: SqlSession,
  index: { id: number; dimensions: number | undefined },
  run = NO_RUN,
): StoreView {
  return {
    dimensions: index.dimensions,
    known: (source, hashes) => knownTexts(sql, { indexId: index.id, run, source }, hashes),

    async file(name) {
      const found = await sql.get<WithDroppedText<KnownFile>>(
        `SELECT fingerprint, files.chunks, coalesce(outdated, 0) AS outdated, dropped
         FROM files LEFT JOIN sources USING (index_id, name) WHERE index_id = $1 AND name = $2`,
        index.id,
        name,
      )
      return found && { ...found, dropped: droppedCountsOf(found.dropped) }
    },

    async *visible(source) {
      for (let after = 0; ; ) {
        const ids = await visibleIds(sql, index.id, source, after, IDS_PER_READ)
        if (ids.length > 0) yield ids
        if (ids.length < IDS_PER_READ) return
        after = ids.at(-1)!
      }
    },

    contents: (ids) => chunkContents(sql, ids),
    sources: () => namesOfSources(sql, index.id),
    count: () => countVisible(sql, index.id),
  }
}
