import type { Connection } from './connection.ts'

/** Reads of a replica: its published runs have the key of the followed run as their job, its chunks that of the chunk as their point. */

/** The key of the last published run of an index; undefined before the first. */
export const lastJobOf = (reader: Connection, indexId: number): string | undefined =>
  reader.get<{ job: string }>(
    `SELECT job FROM runs WHERE index_id = ? AND state = 'published' ORDER BY seq DESC LIMIT 1`,
    indexId,
  )?.job

/** The visible chunks of an index by some points; points without one are left out. */
export function chunkIdsOfPoints(
  reader: Connection,
  indexId: number,
  points: readonly string[],
): Map<string, number> {
  const rows = reader.all<{ point: string; id: number }>(
    `SELECT point, chunks.id FROM json_each(?) CROSS JOIN chunks ON point = value
     JOIN sources ON sources.id = source_id WHERE index_id = ? AND died IS NULL`,
    JSON.stringify(points),
    indexId,
  )
  return new Map(rows.map(({ point, id }) => [point, id]))
}

/** The names of all namespaces. */
export const replicaNamespaces = (reader: Connection): string[] =>
  reader
    .all<{ namespace: string }>(`SELECT namespace FROM indexes WHERE state = 'live'`)
    .map(({ namespace }) => namespace)
