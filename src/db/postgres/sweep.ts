import { dropOwnTables } from './own-tables.ts'
import type { SqlSession, SqlValue } from './session.ts'

/** Whether there is more to sweep, and the points that no chunk has any more. */
export type SweepStep = { more: boolean; pointIds: string[] }

/**
 * Deletes what readers do not see any more: removed chunks, and what abandoned runs staged; at most `limit` chunks a call.
 * Deletes nothing while a run of the index is open, in any process: it may use a passage that is about to be deleted.
 */
export async function sweepIndex(
  sql: SqlSession,
  { indexId, limit }: { indexId: number; limit: number },
): Promise<SweepStep> {
  // The lock makes a run that begins at the same time wait.
  await sql.get('SELECT 1 FROM indexes WHERE id = $1 FOR UPDATE', indexId)
  const open = await sql.get(`SELECT 1 FROM runs WHERE index_id = $1 AND state = 'open'`, indexId)
  if (open) return { more: false, pointIds: [] }
  const dead = await sql.all<{ source: number; passage: number; point: string | null }>(
    `DELETE FROM chunks WHERE own IN (0, $1) AND id IN (
       (SELECT id FROM chunks WHERE own IN (0, $1) AND index_id = $1 AND died IS NOT NULL
          AND died NOT IN (SELECT removed_run FROM sources WHERE removed_run IS NOT NULL AND index_id = $1) LIMIT $2)
       UNION ALL
       (SELECT id FROM chunks WHERE own IN (0, $1) AND index_id = $1
          AND born IN (SELECT seq FROM runs WHERE index_id = $1 AND state = 'abandoned') LIMIT $2))
     RETURNING source_id AS source, passage_id AS passage, point`,
    indexId,
    limit,
  )
  const pointIds = await unusedPoints(sql, indexId, [...new Set(dead.flatMap(({ point }) => point ?? []))])
  await sql.run(
    `DELETE FROM sources WHERE id = ANY($1) AND NOT EXISTS (SELECT 1 FROM chunks WHERE own IN (0, $2) AND source_id = sources.id)`,
    [...new Set(dead.map(({ source }) => source))],
    indexId,
  )
  await removePassages(
    sql,
    `SELECT id FROM passages WHERE own IN (0, $1) AND id = ANY($2)
       AND NOT EXISTS (SELECT 1 FROM chunks WHERE own IN (0, $1) AND passage_id = passages.id)`,
    indexId,
    [...new Set(dead.map(({ passage }) => passage))],
  )
  const more = dead.length >= limit
  if (!more) await sql.run(`DELETE FROM runs WHERE index_id = $1 AND state = 'abandoned'`, indexId)
  return { more, pointIds }
}

/** Those of some points that no chunk of the index has. */
async function unusedPoints(sql: SqlSession, indexId: number, points: readonly string[]): Promise<string[]> {
  if (points.length === 0) return []
  const rows = await sql.all<{ point: string }>(
    `SELECT point FROM unnest($1::text[]) AS point
     WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE own IN (0, $2) AND chunks.point = point.point AND index_id = $2)`,
    points,
    indexId,
  )
  return rows.map(({ point }) => point)
}

/** Deletes the passages of an index, `$1`, that a query finds, with their vectors. Returns how many. */
async function removePassages(sql: SqlSession, which: string, ...values: SqlValue[]): Promise<number> {
  return sql.run(
    `WITH gone AS (DELETE FROM passages WHERE own IN (0, $1) AND id IN (${which}) RETURNING id)
     , vectorless AS (DELETE FROM vectors USING gone WHERE vectors.own IN (0, $1) AND passage_id = gone.id)
     SELECT id FROM gone`,
    ...values,
  )
}

/** Deletes what a removed index has left: its own tables, or at most `limit` chunks or passages a call. Returns whether there is more. */
export async function sweepRemovedIndex(
  sql: SqlSession,
  { indexId, limit }: { indexId: number; limit: number },
): Promise<boolean> {
  const removed = await sql.get<{ hasTables: boolean }>(
    `SELECT has_tables AS "hasTables" FROM indexes WHERE id = $1 AND state = 'retired' FOR UPDATE`,
    indexId,
  )
  if (!removed) return false
  if (removed.hasTables) {
    await dropOwnTables(sql, indexId)
    return true
  }
  const chunks = await sql.run(
    'DELETE FROM chunks WHERE own IN (0, $1) AND id IN (SELECT id FROM chunks WHERE own IN (0, $1) AND index_id = $1 LIMIT $2)',
    indexId,
    limit,
  )
  if (chunks === limit) return true
  const passages = await removePassages(
    sql,
    'SELECT id FROM passages WHERE own IN (0, $1) AND index_id = $1 LIMIT $2',
    indexId,
    limit,
  )
  if (passages === limit) return true
  await sql.run('DELETE FROM indexes WHERE id = $1', indexId)
  return false
}

/** How many published runs of an index keep their changes, for replicas that are behind. */
const KEPT_RUNS = 1000

/** Deletes the changes of old runs. A replica that has not followed them is loaded again. */
export async function sweepChanges(sql: SqlSession, indexId: number): Promise<void> {
  const last = await sql.get<{ seq: number }>(
    `SELECT seq FROM runs WHERE index_id = $1 AND state = 'published' ORDER BY seq DESC LIMIT 1 OFFSET $2`,
    indexId,
    KEPT_RUNS,
  )
  if (!last) return
  await sql.run(
    'UPDATE indexes SET followed_from = $1 WHERE id = $2 AND followed_from < $1',
    last.seq,
    indexId,
  )
  await sql.run(
    'DELETE FROM run_changes USING runs WHERE run = seq AND index_id = $1 AND seq <= $2',
    indexId,
    last.seq,
  )
}
