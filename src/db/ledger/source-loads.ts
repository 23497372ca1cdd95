import type { SourceLoads } from '../../contract/source-load.ts'
import type { SqlSession } from '../sql/session.ts'
import { insertRow } from '../sql/statements.ts'

/** Stores with which settings sources were loaded, and deletes settings that no source has any more. */
export async function noteLoads(
  sql: SqlSession,
  indexId: number,
  { settings, sources }: SourceLoads = { settings: [], sources: [] },
): Promise<void> {
  if (sources.length === 0) return
  for (const one of settings)
    await insertRow(sql, 'load_settings', { index_id: indexId, ...one }, 'ON CONFLICT DO NOTHING')
  const last = new Map(sources.map((one) => [one.source, one])).values()
  // The sources of a load have few settings and requests. Most are as they were: a row that is not written costs nothing in the log.
  for (const loaded of Map.groupBy(last, (one) => JSON.stringify([one.settings, one.request])).values())
    await sql.run(
      `UPDATE sources SET settings = ?1, request = ?2 WHERE index_id = ?3 AND name IN (?4)
         AND (settings IS DISTINCT FROM ?1 OR request IS DISTINCT FROM ?2)`,
      loaded[0]!.settings,
      loaded[0]!.request,
      indexId,
      loaded.map(({ source }) => source),
    )
  await sql.run(
    `DELETE FROM load_settings WHERE index_id = ?1
       AND NOT EXISTS (SELECT 1 FROM sources WHERE sources.index_id = ?1 AND sources.settings = load_settings.hash)`,
    indexId,
  )
}

/** Gives an index the settings of sources of another, which have the same hashes there. */
export const copyLoadSettings = (sql: SqlSession, from: number, to: number): Promise<number> =>
  sql.run(
    `INSERT INTO load_settings SELECT CAST(? AS bigint), hash, content FROM load_settings WHERE index_id = ?
     ON CONFLICT DO NOTHING`,
    to,
    from,
  )
