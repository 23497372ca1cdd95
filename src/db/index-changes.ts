import { floats } from './chunks.ts'
import type { Connection, Row } from './connection.ts'

/** What a search image has to learn: the passages of an index and how each published run changed them. */

export type PassageVector = { id: number; vector: Float32Array }

/** The newest published run of an index; 0 before the first. */
export function lastPublished(connection: Connection, indexId: number): number {
  return (
    connection.get<{ seq: number | null }>(
      `SELECT max(seq) AS seq FROM runs WHERE index_id = ? AND state = 'published'`,
      indexId,
    )!.seq ?? 0
  )
}

const HAS_VISIBLE = `EXISTS (
  SELECT 1 FROM chunks WHERE passage_id = passages.id AND died IS NULL
  AND born NOT IN (SELECT seq FROM runs WHERE state <> 'published'))`

/** The next passages that readers see, in order of their ids. */
export function passagesAfter(
  connection: Connection,
  indexId: number,
  after: number,
  limit: number,
): PassageVector[] {
  return connection
    .all<Row & { id: number; vector: Uint8Array }>(
      `SELECT passages.id, vector FROM passages JOIN vectors ON passage_id = passages.id
       WHERE index_id = ? AND passages.id > ? AND ${HAS_VISIBLE} ORDER BY passages.id LIMIT ?`,
      indexId,
      after,
      limit,
    )
    .map(({ id, vector }) => ({ id, vector: floats(vector) }))
}

export type RunChanges = { run: number; added: number[]; removed: number[] }

/** What the next run after `after` changed; undefined where there is none. */
export function nextChanges(connection: Connection, indexId: number, after: number): RunChanges | undefined {
  const run = connection.get<{ seq: number; first_chunk: number }>(
    `SELECT seq, first_chunk FROM runs WHERE index_id = ? AND state = 'published' AND seq > ? ORDER BY seq LIMIT 1`,
    indexId,
    after,
  )
  if (!run) return undefined
  const ids = (rows: { id: number }[]) => rows.map((row) => row.id)
  return {
    run: run.seq,
    added: ids(
      connection.all(
        'SELECT DISTINCT passage_id AS id FROM chunks WHERE id >= ? AND born = ? AND died IS NULL',
        run.first_chunk,
        run.seq,
      ),
    ),
    removed: ids(
      connection.all(
        `SELECT DISTINCT passages.id FROM chunks AS dead JOIN passages ON passages.id = dead.passage_id
         WHERE dead.died = ? AND index_id = ? AND NOT ${HAS_VISIBLE}`,
        run.seq,
        indexId,
      ),
    ),
  }
}
