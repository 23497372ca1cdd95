import type { InvisibleChunks, Unswept } from '../../contract/invisible.ts'
import { REBUILD_KEPT_MS } from '../index-row.ts'
import { type InvisibleOfIndex, namespaceAndBytes, sumByNamespace } from '../ledger/invisible.ts'
import { type OwnTables, toBeMoved } from './own-tables.ts'
import type { SqlSession } from './session.ts'

/** The runs of removals that can be restored. */
const RESTORABLE = `EXISTS (SELECT 1 FROM sources
  WHERE sources.index_id = chunks.index_id AND sources.id = chunks.source_id AND removed_run = died)`

/** Dead chunks by the run of their removal: whether it can be restored is asked once for each, not for each chunk. */
const DEAD = `
  SELECT index_id, dead, EXISTS (SELECT 1 FROM sources WHERE sources.index_id = died.index_id AND removed_run = run) AS can_restore
  FROM (SELECT index_id, died AS run, count(*) AS dead FROM chunks WHERE died IS NOT NULL GROUP BY index_id, died) AS died`

/** What is to be swept, by now. */
export async function findUnswept(sql: SqlSession, now: number, ownTables: OwnTables): Promise<Unswept> {
  const rows = await sql.all<{ namespace: string }>(
    `SELECT namespace FROM indexes WHERE state = 'live' AND (
       EXISTS (SELECT 1 FROM runs WHERE runs.state = 'abandoned' AND index_id = indexes.id)
       OR EXISTS (SELECT 1 FROM chunks WHERE own IN (0, indexes.id) AND chunks.index_id = indexes.id AND died IS NOT NULL AND NOT ${RESTORABLE})
       OR EXISTS (SELECT 1 FROM sources WHERE index_id = indexes.id AND removed_run IS NOT NULL AND removed_until <= $1)
       OR EXISTS (SELECT 1 FROM indexes AS other WHERE other.replaces = indexes.id AND other.created_at < $2)
       OR ${toBeMoved(ownTables)})`,
    now,
    now - REBUILD_KEPT_MS,
  )
  const removed = await sql.get(`SELECT 1 FROM indexes WHERE state = 'retired' LIMIT 1`)
  return { namespaces: rows.map(({ namespace }) => namespace), removed: removed !== undefined }
}

/** The chunks that readers do not see, without those of open runs. */
export async function countInvisible(sql: SqlSession): Promise<Map<string, InvisibleChunks>> {
  const rows = await sql.all<InvisibleOfIndex>(
    `SELECT unswept, restorable, ${namespaceAndBytes(sql)}
     FROM (SELECT index_id, sum(unswept)::bigint AS unswept, sum(restorable)::bigint AS restorable FROM (
       SELECT index_id, CASE WHEN can_restore THEN 0 ELSE dead END AS unswept, CASE WHEN can_restore THEN dead ELSE 0 END AS restorable
         FROM (${DEAD}) AS by_run JOIN indexes ON indexes.id = index_id WHERE state <> 'retired'
       UNION ALL
       SELECT chunks.index_id, count(*), 0 FROM runs JOIN indexes ON indexes.id = runs.index_id
         JOIN chunks ON own IN (0, runs.index_id) AND chunks.index_id = runs.index_id AND born = seq
         WHERE runs.state = 'abandoned' AND indexes.state <> 'retired' AND died IS NULL GROUP BY chunks.index_id
       UNION ALL
       SELECT id, (SELECT count(*) FROM chunks WHERE own IN (0, indexes.id) AND index_id = indexes.id), 0 FROM indexes WHERE state = 'retired'
       UNION ALL
       SELECT id, 0, chunks FROM indexes WHERE state = 'deleted'
     ) AS counted GROUP BY index_id) AS found JOIN indexes ON indexes.id = found.index_id`,
  )
  return sumByNamespace(rows)
}
