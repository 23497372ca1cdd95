import type { Publication } from '../../contract/ledger.ts'
import type { SqlSession } from '../sql/session.ts'
import { isWhereIndexIs, rowsWhereIndexIs } from './rows-of-index.ts'
import { VISIBLE } from './visible.ts'

/*
 * Chunks of earlier versions. A run that reads a source and does not remove what it does not find there leaves such chunks: they are
 * marked with the time of its publication, `outdated_at`. Those with the same time were of one version, so their ranges fit together.
 * They are read by `source-version.ts`.
 */

type Published = Pick<
  Publication,
  'outdatedChunkIds' | 'updatedSources' | 'restoredSources' | 'invalidatedFiles'
> & { indexId: number; now: number }

/** Marks what a publication leaves of earlier versions, and counts it by source. Without such chunks it is one query. */
export async function noteOutdated(sql: SqlSession, published: Published): Promise<void> {
  const { indexId, outdatedChunkIds, now } = published
  const sources = await concernedSources(sql, published)
  if (sources.length === 0) return
  if (outdatedChunkIds) {
    await sql.run(
      `UPDATE chunks SET outdated_at = NULL WHERE ${isWhereIndexIs(sql, indexId, 'chunks')} AND source_id IN (?)
         AND outdated_at IS NOT NULL AND died IS NULL
         AND id NOT IN (SELECT still.id FROM ${rowsWhereIndexIs(sql, 'chunks', indexId, 'still')} WHERE still.id IN (?))`,
      sources,
      outdatedChunkIds,
    )
    const last = await sql.get<{ at: number | null }>(
      `SELECT max(outdated_at) AS at FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)}
       WHERE source_id IN (?) AND outdated_at IS NOT NULL AND died IS NULL`,
      sources,
    )
    // Two versions never have the same time, whatever the clocks say.
    await sql.run(
      `UPDATE chunks SET outdated_at = ? WHERE ${isWhereIndexIs(sql, indexId, 'chunks')} AND id IN (?)
         AND outdated_at IS NULL AND died IS NULL`,
      Math.max(now, (last?.at ?? 0) + 1),
      outdatedChunkIds,
    )
  }
  await sql.run(
    `UPDATE sources SET outdated = (SELECT count(*) FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} WHERE source_id = sources.id
       AND outdated_at IS NOT NULL AND ${VISIBLE}) WHERE id IN (?)`,
    sources,
  )
}

/** The sources whose count may change: those that have such chunks now or had some before. */
async function concernedSources(
  sql: SqlSession,
  { indexId, outdatedChunkIds = [], updatedSources, restoredSources = [], invalidatedFiles }: Published,
): Promise<number[]> {
  const changed = [...updatedSources, ...(invalidatedFiles === 'all' ? [] : invalidatedFiles)]
  const rows = await sql.all<{ id: number }>(
    `SELECT id FROM sources WHERE index_id = ?1 AND outdated > 0 AND name IN (?2)
     UNION SELECT id FROM sources WHERE index_id = ?1 AND name IN (?3)
     UNION SELECT source_id FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} WHERE id IN (?4)`,
    indexId,
    changed,
    restoredSources,
    outdatedChunkIds,
  )
  return rows.map(({ id }) => id)
}

type TextKey = { id: number; hash: string; metadataHash: string }

/** A source has an equal pair of text and metadata once. */
const keyOf = ({ hash, metadataHash }: TextKey): string => `${hash} ${metadataHash}`

/** Marks the chunks of a new index that are outdated in the one whose place it takes. */
export async function copyOutdated(
  sql: SqlSession,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const sources = await sql.all<{ old: number; id: number }>(
    `SELECT earlier.id AS old, sources.id FROM sources AS earlier
     JOIN sources ON sources.index_id = ? AND sources.name = earlier.name
     WHERE earlier.index_id = ? AND earlier.outdated > 0`,
    to,
    from,
  )
  const ofSource = (indexId: number) =>
    `SELECT id, hash, metadata_hash AS "metadataHash", outdated_at AS since
     FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} WHERE source_id = ?`
  for (const { old, id } of sources) {
    const marked = await sql.all<TextKey & { since: number }>(
      `${ofSource(from)} AND outdated_at IS NOT NULL AND ${VISIBLE}`,
      old,
    )
    const since = new Map(marked.map((chunk) => [keyOf(chunk), chunk.since]))
    const chunks = await sql.all<TextKey>(ofSource(to), id)
    for (const [at, same] of Map.groupBy(chunks, (chunk) => since.get(keyOf(chunk))))
      if (at !== undefined)
        await sql.run(
          `UPDATE chunks SET outdated_at = ? WHERE ${isWhereIndexIs(sql, to, 'chunks')} AND id IN (?)`,
          at,
          same.map((chunk) => chunk.id),
        )
  }
}
