import type { Publication } from '../../contract/ledger.ts'
import { VISIBLE } from '../ledger/visible.ts'
import type { SqlSession } from './session.ts'

/* Marks chunks of earlier versions: see `sqlite/outdated.ts`. They are read by `ledger/source-version.ts`. */

type Published = Pick<
  Publication,
  'outdatedChunkIds' | 'updatedSources' | 'restoredSources' | 'invalidatedFiles'
> & { indexId: number; now: number }

/** Marks what a publication leaves of earlier versions, and counts it by source. Without such chunks it is one query. */
export async function noteOutdated(sql: SqlSession, published: Published): Promise<void> {
  const { outdatedChunkIds, now } = published
  const sources = await concernedSources(sql, published)
  if (sources.length === 0) return
  if (outdatedChunkIds) {
    await sql.run(
      `UPDATE chunks SET outdated_at = NULL WHERE source_id = ANY($1) AND outdated_at IS NOT NULL AND died IS NULL
         AND NOT EXISTS (SELECT 1 FROM unnest($2::bigint[]) AS still (chunk) WHERE chunk = chunks.id)`,
      sources,
      outdatedChunkIds,
    )
    // Two versions never have the same time, whatever the clocks of the nodes say.
    await sql.run(
      `UPDATE chunks SET outdated_at = greatest($1::bigint,
         (SELECT max(outdated_at) + 1 FROM chunks WHERE source_id = ANY($2) AND outdated_at IS NOT NULL AND died IS NULL))
       WHERE id = ANY($3) AND outdated_at IS NULL AND died IS NULL`,
      now,
      sources,
      outdatedChunkIds,
    )
  }
  await sql.run(
    `UPDATE sources SET outdated = (SELECT count(*) FROM chunks WHERE source_id = sources.id
       AND outdated_at IS NOT NULL AND ${VISIBLE}) WHERE id = ANY($1)`,
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
    `SELECT id FROM sources WHERE index_id = $1 AND outdated > 0 AND name = ANY($2)
     UNION SELECT id FROM sources WHERE index_id = $1 AND name = ANY($3)
     UNION SELECT source_id FROM chunks WHERE id = ANY($4)`,
    indexId,
    changed,
    restoredSources,
    outdatedChunkIds,
  )
  return rows.map(({ id }) => id)
}

/** Marks the chunks of a new index that are outdated in the one whose place it takes. */
export const copyOutdated = (sql: SqlSession, { from, to }: { from: number; to: number }): Promise<number> =>
  sql.run(
    `UPDATE chunks SET outdated_at = earlier.outdated_at
     FROM sources JOIN sources AS old ON old.index_id = $1 AND old.name = sources.name AND old.outdated > 0
     JOIN chunks AS earlier ON earlier.source_id = old.id AND earlier.outdated_at IS NOT NULL AND earlier.died IS NULL
     WHERE sources.index_id = $2 AND chunks.source_id = sources.id
       AND chunks.hash = earlier.hash AND chunks.metadata_hash = earlier.metadata_hash`,
    from,
    to,
  )
