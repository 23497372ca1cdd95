import type { PointGroup } from '../../contract/ledger-points.ts'
import { ALL_CONVERSATIONS } from '../../documents/conversation.ts'
import type { SqlSession } from '../sql/session.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'
import { isOfIndex, VISIBLE } from './visible.ts'

type FoundRow = { point: string; content: string; metadata: string; born: number }

/**
 * The visible chunks of some points of an index, and whether it has sources of conversations, by one statement: all of one moment, and one
 * round trip for each query. Undefined where readers do not see the index.
 */
export async function chunksOfPoints(
  sql: SqlSession,
  indexId: number,
  pointIds: readonly string[],
): Promise<{ chunks: FoundRow[]; holdsConversations: boolean } | undefined> {
  const rows = await sql.all<(FoundRow | { point: null }) & { mixed: number | null }>(
    `SELECT NULL AS id, NULL AS point, NULL AS content, NULL AS metadata, NULL AS born,
       (SELECT count(*) FROM (SELECT 1 FROM sources WHERE index_id = ? AND name >= ? AND name < ? LIMIT 1) AS conversations) AS mixed
     FROM indexes WHERE id = ? AND state = 'live'
     UNION ALL
     SELECT chunks.id, point, content, metadata, born, NULL FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)}
       JOIN ${rowsWhereIndexIs(sql, 'passages', indexId)} ON passages.id = passage_id
     WHERE point IN (?) AND ${isOfIndex(sql)} AND ${VISIBLE} ORDER BY id`,
    indexId,
    ALL_CONVERSATIONS.from,
    ALL_CONVERSATIONS.before,
    indexId,
    pointIds,
    indexId,
  )
  const index = rows.find(({ mixed }) => mixed !== null)
  if (!index) return undefined
  const chunks = rows.flatMap((row) => (row.point === null ? [] : row))
  return { chunks, holdsConversations: index.mixed !== 0 }
}

/** Texts and metadata of some points, visible or not; a point of several chunks comes several times. */
export const contentsOfPoints = (
  sql: SqlSession,
  indexId: number,
  pointIds: readonly string[],
): Promise<{ point: string; text: string; metadata: string }[]> =>
  sql.all<{ point: string; text: string; metadata: string }>(
    `SELECT point, content AS text, metadata FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} JOIN ${rowsWhereIndexIs(sql, 'passages', indexId)} ON passages.id = passage_id
     WHERE point IN (?) AND ${isOfIndex(sql)} ORDER BY chunks.id`,
    pointIds,
    indexId,
  )

/** The points that have the text of one of some points: pairs of an id and another with the same text, itself among them. */
export const pointsOfSameText = (
  sql: SqlSession,
  indexId: number,
  pointIds: readonly string[],
): Promise<{ point: string; same: string }[]> =>
  sql.all<{ point: string; same: string }>(
    `SELECT DISTINCT asked.point AS point, others.point AS same
     FROM ${rowsWhereIndexIs(sql, 'chunks', indexId, 'asked')} JOIN ${rowsWhereIndexIs(sql, 'chunks', indexId, 'others')}
       ON others.passage_id = asked.passage_id
     WHERE asked.point IN (?) AND ${isOfIndex(sql, 'asked')} AND others.point IS NOT NULL`,
    pointIds,
    indexId,
  )

/** The condition that a chunk is removed and can be restored. */
const RESTORABLE =
  '(died IS NOT NULL AND EXISTS (SELECT 1 FROM sources WHERE sources.id = chunks.source_id AND removed_run = died))'

/** The points of some chunks. */
export const pointsOfChunks = (
  sql: SqlSession,
  indexId: number,
  chunkIds: readonly number[],
): Promise<{ point: string }[]> =>
  sql.all<{ point: string }>(
    `SELECT DISTINCT point FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} WHERE id IN (?) AND ${isOfIndex(sql)} AND point IS NOT NULL`,
    chunkIds,
    indexId,
  )

/** Those of some points that visible chunks have. */
export const visibleOfPoints = (
  sql: SqlSession,
  indexId: number,
  pointIds: readonly string[],
): Promise<{ point: string }[]> =>
  sql.all<{ point: string }>(
    `SELECT DISTINCT point FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} WHERE point IN (?) AND ${isOfIndex(sql)} AND ${VISIBLE}`,
    pointIds,
    indexId,
  )

/** What a chunk with a point is: removed for good, removed and to be restored, or anything else. */
export type PointState = 'dead' | 'restorable' | 'other'

/** Some points, each with every state that one of its chunks has. */
export const statesOfPoints = (
  sql: SqlSession,
  indexId: number,
  pointIds: readonly string[],
): Promise<{ point: string; state: PointState }[]> =>
  sql.all<{ point: string; state: PointState }>(
    `SELECT DISTINCT point, CASE WHEN died IS NULL THEN 'other' WHEN ${RESTORABLE} THEN 'restorable' ELSE 'dead' END AS state
     FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} WHERE point IN (?) AND ${isOfIndex(sql)}`,
    pointIds,
    indexId,
  )

/** The next points of an index by the ids of their chunks, visible or not: each once, or those of a group, again for each chunk. */
export const pointsAfter = (
  sql: SqlSession,
  indexId: number,
  { after, limit, which }: { after: number; limit: number; which?: PointGroup | undefined },
): Promise<{ id: number; point: string }[]> =>
  sql.all<{ id: number; point: string }>(
    `SELECT id, point FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} WHERE ${isOfIndex(sql)} AND id > ? AND point IS NOT NULL
     AND ${which === undefined ? `id = (SELECT min(first.id) FROM ${rowsWhereIndexIs(sql, 'chunks', indexId, 'first')} WHERE first.point = chunks.point AND ${isOfIndex(sql, 'first')})` : `${which === 'restorable' ? '' : 'NOT'} ${RESTORABLE}`}
     ORDER BY id LIMIT ?`,
    indexId,
    after,
    ...(which === undefined ? [indexId] : []),
    limit,
  )
