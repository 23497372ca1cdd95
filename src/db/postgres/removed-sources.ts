import type { SqlSession, SqlValue } from './session.ts'

/*
 * Removed sources that can be restored: their chunks have died in the run that `sources.removed_run` names, and the sweep
 * leaves them. To end a removal moves them to run 0, and the next sweep deletes them.
 */

/** From now on these sources cannot be restored any more; nothing happens to sources that were not removed. */
export async function endRemovals(
  sql: SqlSession,
  indexId: number,
  sources: readonly string[],
): Promise<void> {
  if (sources.length > 0) await endRemoval(sql, 'index_id = $1 AND name = ANY($2)', [indexId, sources])
}

/** Ends the removals of an index that can be restored no more. */
export const endExpiredRemovals = (sql: SqlSession, indexId: number, now: number): Promise<void> =>
  endRemoval(sql, 'index_id = $1 AND removed_until <= $2', [indexId, now])

/** One statement: chunks are looked up by the runs as they are before it. The index is `$1`. */
async function endRemoval(sql: SqlSession, which: string, values: readonly SqlValue[]): Promise<void> {
  await sql.run(
    `WITH removed AS (SELECT id, index_id, removed_run FROM sources WHERE removed_run IS NOT NULL AND ${which} FOR UPDATE),
       dead AS (UPDATE chunks SET died = 0 FROM removed
                WHERE own IN (0, $1) AND source_id = removed.id AND chunks.index_id = removed.index_id AND died = removed_run)
     UPDATE sources SET removed_run = NULL, removed_until = NULL FROM removed WHERE sources.id = removed.id`,
    ...values,
  )
}

/** Stages copies of the removed chunks of a source. They have the passages of the removed ones: nothing is embedded. Returns how many. */
export const restageRemoved = (
  sql: SqlSession,
  { indexId, run, source }: { indexId: number; run: number; source: string },
): Promise<number> =>
  sql.run(
    `INSERT INTO chunks (own, index_id, source_id, passage_id, hash, metadata, metadata_hash, born, point, text_start, text_end, outdated_at)
     SELECT own, chunks.index_id, source_id, passage_id, hash, metadata, metadata_hash, $1, point, text_start, text_end, outdated_at
     FROM sources JOIN chunks ON own IN (0, $2) AND source_id = sources.id AND died = removed_run
     WHERE sources.index_id = $2 AND name = $3 ORDER BY chunks.id`,
    run,
    indexId,
    source,
  )
