import { setImmediate } from 'node:timers/promises'
import type { ChunkContent, KnownFile, StoreView } from '../../contract/ledger.ts'
import { droppedCountsOf, type WithDroppedText } from '../rows/dropped.ts'
import type { SqlSession } from '../sql/session.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'
import { namesOfSources } from './source-list.ts'
import { VISIBLE } from './visible.ts'

/** How many ids one read brings: a few milliseconds. */
const IDS_PER_READ = 5000

/** The run of a view without staged chunks: no run has this number. */
export const NO_RUN = -1

/** The chunks of an index that readers see; `known` may also tell of those that a run has staged. */
export function ledgerView(
  sql: SqlSession,
  index: { id: number; dimensions: number | undefined },
  known: StoreView['known'],
): StoreView {
  return {
    dimensions: index.dimensions,
    known,

    async file(name) {
      const found = await sql.get<WithDroppedText<KnownFile> & { untraced: number | boolean | null }>(
        `SELECT fingerprint, files.chunks, coalesce(outdated, 0) AS outdated, dropped,
           sources.chunks > 0 AND gaps IS NULL AS untraced
         FROM files LEFT JOIN sources USING (index_id, name) WHERE index_id = ? AND name = ?`,
        index.id,
        name,
      )
      if (!found) return undefined
      const { untraced, ...file } = found
      return { ...file, dropped: droppedCountsOf(file.dropped), ...(untraced ? { isUntraced: true } : {}) }
    },

    async *visible(source) {
      for (let after = 0; ; ) {
        const rows = await sql.all<{ id: number }>(
          `SELECT chunks.id FROM sources JOIN ${rowsWhereIndexIs(sql, 'chunks', index.id)} ON source_id = sources.id
           WHERE sources.index_id = ? AND name = ? AND chunks.id > ? AND ${VISIBLE} ORDER BY chunks.id LIMIT ?`,
          index.id,
          source,
          after,
          IDS_PER_READ,
        )
        if (rows.length > 0) yield rows.map(({ id }) => id)
        if (rows.length < IDS_PER_READ) return
        after = rows.at(-1)!.id
        await setImmediate()
      }
    },

    async contents(ids) {
      const rows = await sql.all<{ id: number; text: string; metadata: string }>(
        `SELECT chunks.id, content AS text, metadata
         FROM ${rowsWhereIndexIs(sql, 'chunks', index.id)} JOIN ${rowsWhereIndexIs(sql, 'passages', index.id)} ON passages.id = passage_id
         WHERE chunks.id IN (?)`,
        ids,
      )
      const found = new Map(
        rows.map(({ id, text, metadata }): [number, ChunkContent] => [id, { text, metadata }]),
      )
      return ids.flatMap((id) => found.get(id) ?? [])
    },

    sources: () => namesOfSources(sql, index.id),

    // Each publication updates the number, so no rows are counted.
    async count() {
      const row = await sql.get<{ chunks: number }>('SELECT chunks FROM indexes WHERE id = ?', index.id)
      return row?.chunks ?? 0
    },
  }
}

/** Ids of the chunks that a run has staged for a source. */
export async function stagedIds(
  sql: SqlSession,
  { indexId, run, source }: { indexId: number; run: number; source: string },
): Promise<number[]> {
  const rows = await sql.all<{ id: number }>(
    `SELECT chunks.id FROM sources JOIN ${rowsWhereIndexIs(sql, 'chunks', indexId)} ON source_id = sources.id
     WHERE sources.index_id = ? AND name = ? AND born = ? ORDER BY chunks.id`,
    indexId,
    source,
    run,
  )
  return rows.map(({ id }) => id)
}
