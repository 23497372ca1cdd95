import type { Connection } from './connection.ts'

/** The range of the chunk ids of an index: after the first, up to the last. */
export const chunkRange = (connection: Connection, indexId: number): { first: number; last: number } =>
  connection.get<{ first: number; last: number }>(
    `SELECT coalesce(min(first_chunk) - 1, 0) AS first, (SELECT coalesce(max(id), 0) FROM chunks) AS last
     FROM runs WHERE index_id = ?`,
    indexId,
  )!
