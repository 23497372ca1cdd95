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
