import { type InvisibleChunks, noInvisible, type Unswept } from '../../contract/invisible.ts'
import { CHUNK_BYTES } from './deleted-flows.ts'
import type { SqlSession } from './session.ts'

/** The runs of removals that can be restored. */
const RESTORABLE = `EXISTS (SELECT 1 FROM sources
  WHERE sources.index_id = chunks.index_id AND sources.id = chunks.source_id AND removed_run = died)`

/** What is to be swept. @param before unfinished reindexes that are older are given up, in ms since 1970 */
export async function findUnswept(
  sql: SqlSession,
  { now, before }: { now: number; before: number },
): Promise<Unswept> {
  const rows = await sql.all<{ namespace: string }>(
    `SELECT namespace FROM indexes WHERE state = 'live' AND (
       EXISTS (SELECT 1 FROM runs WHERE runs.state = 'abandoned' AND index_id = indexes.id)
       OR EXISTS (SELECT 1 FROM chunks WHERE chunks.index_id = indexes.id AND died IS NOT NULL AND NOT ${RESTORABLE})
       OR EXISTS (SELECT 1 FROM sources WHERE index_id = indexes.id AND removed_run IS NOT NULL AND removed_until <= $1)
       OR EXISTS (SELECT 1 FROM indexes AS other WHERE other.replaces = indexes.id AND other.created_at < $2))`,
    now,
    before,
  )
  const retired = await sql.get(`SELECT 1 FROM indexes WHERE state = 'retired' LIMIT 1`)
  return { namespaces: rows.map(({ namespace }) => namespace), retired: retired !== undefined }
}

/** The chunks that readers do not see, without those of open runs. */
export async function countInvisible(sql: SqlSession): Promise<Map<string, InvisibleChunks>> {
  const rows = await sql.all<{ namespace: string; unswept: number; restorable: number }>(
    `SELECT coalesce(replaced.namespace, own.namespace) AS namespace,
       sum(unswept)::bigint AS unswept, sum(restorable)::bigint AS restorable
     FROM (
       SELECT chunks.index_id, count(*) FILTER (WHERE NOT ${RESTORABLE}) AS unswept, count(*) FILTER (WHERE ${RESTORABLE}) AS restorable
         FROM chunks JOIN indexes ON indexes.id = chunks.index_id
         WHERE died IS NOT NULL AND state <> 'retired' GROUP BY chunks.index_id
       UNION ALL
       SELECT chunks.index_id, count(*), 0 FROM runs JOIN indexes ON indexes.id = runs.index_id
         JOIN chunks ON chunks.index_id = runs.index_id AND born = seq
         WHERE runs.state = 'abandoned' AND indexes.state <> 'retired' AND died IS NULL GROUP BY chunks.index_id
       UNION ALL
       SELECT id, (SELECT count(*) FROM chunks WHERE index_id = indexes.id), 0 FROM indexes WHERE state = 'retired'
       UNION ALL
       SELECT id, 0, chunks FROM indexes WHERE state = 'deleted'
     ) AS found JOIN indexes AS own ON own.id = found.index_id
     LEFT JOIN indexes AS replaced ON replaced.id = own.replaces GROUP BY 1`,
  )
  return new Map(
    rows
      .filter(({ unswept, restorable }) => unswept + restorable > 0)
      .map(({ namespace, unswept, restorable }) => [
        namespace,
        { ...noInvisible, unswept, restorable, bytes: (unswept + restorable) * CHUNK_BYTES },
      ]),
  )
}
