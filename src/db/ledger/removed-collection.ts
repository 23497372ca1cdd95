import type { SqlSession, SqlWrite } from '../sql/session.ts'

/**
 * Whether a separate engine may have the second collection of an index. Where a document can be restored it may, whatever the note says: a
 * member of an earlier version makes it without a note.
 */
export async function hasRemoved(sql: SqlSession, indexId: number): Promise<boolean> {
  const row = await sql.get<{ noted: number; held: number }>(
    `SELECT has_removed AS noted, CASE WHEN EXISTS
       (SELECT 1 FROM sources WHERE index_id = ?1 AND removed_run IS NOT NULL) THEN 1 ELSE 0 END AS held
     FROM indexes WHERE id = ?1`,
    indexId,
  )
  return row !== undefined && (row.noted === 1 || row.held === 1)
}

/** Notes whether a separate engine has the second collection of an index. */
export const noteRemoved: SqlWrite<{ indexId: number; has: boolean }, void> = {
  name: 'noteRemoved',
  repeatable: true,
  async run(sql, { indexId, has }) {
    await sql.run(
      'UPDATE indexes SET has_removed = ?2 WHERE id = ?1 AND has_removed <> ?2',
      indexId,
      has ? 1 : 0,
    )
  },
}
