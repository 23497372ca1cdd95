import type { EarlierVersion, SourceVersion } from '../../contract/source-version.ts'
import type { SqlCondition } from '../sql/dialect.ts'
import type { SqlSession } from '../sql/session.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'
import { VISIBLE } from './visible.ts'

/** The condition of the chunks of a version. */
export const isOfVersion = (version: SourceVersion): SqlCondition =>
  version === 'newest'
    ? { sql: 'outdated_at IS NULL', values: [] }
    : { sql: 'outdated_at = ?', values: [version] }

/** What is left of earlier versions of a source, the newest of them first. */
export async function earlierVersions(
  sql: SqlSession,
  indexId: number,
  source: string,
): Promise<EarlierVersion[]> {
  const rows = await sql.all<EarlierVersion>(
    `SELECT outdated_at AS until, count(*) AS chunks FROM sources JOIN ${rowsWhereIndexIs(sql, 'chunks', indexId)} ON source_id = sources.id
     WHERE sources.index_id = ? AND name = ? AND outdated > 0 AND outdated_at IS NOT NULL AND ${VISIBLE}
     GROUP BY outdated_at ORDER BY outdated_at DESC`,
    indexId,
    source,
  )
  return rows.map(({ until, chunks }) => ({ until, chunks }))
}
