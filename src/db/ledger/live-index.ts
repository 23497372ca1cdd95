import { INDEX_COLUMNS, type IndexRow } from '../index-row.ts'
import type { SqlSession } from '../sql/session.ts'

/** The index that readers of a namespace see. */
export const liveIndex = (sql: SqlSession, namespace: string): Promise<IndexRow | undefined> =>
  sql.get<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM indexes WHERE namespace = ? AND state = 'live'`, namespace)

/** The indexes whose rows, and points in a vector engine, are to be deleted. */
export const removedIndexes = async (sql: SqlSession, engine: string): Promise<number[]> => {
  const rows = await sql.all<{ id: number }>(
    `SELECT id FROM indexes WHERE state = 'retired' AND engine = ? ORDER BY id`,
    engine,
  )
  return rows.map(({ id }) => id)
}

/** How many indexes are to be deleted, by the names of their engines. */
export const enginesWithRemoved = async (sql: SqlSession): Promise<Map<string, number>> => {
  const rows = await sql.all<{ engine: string; n: number }>(
    `SELECT engine, count(*) AS n FROM indexes WHERE state = 'retired' GROUP BY engine ORDER BY engine`,
  )
  return new Map(rows.map(({ engine, n }) => [engine, n]))
}
