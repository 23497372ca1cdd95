import type { SourceLoads } from '../../contract/source-load.ts'
import type { SqlSession } from './session.ts'

/** Stores with which settings sources were loaded, and forgets settings that no source has any more. */
export async function noteLoads(
  sql: SqlSession,
  indexId: number,
  { settings, sources }: SourceLoads = { settings: [], sources: [] },
): Promise<void> {
  if (sources.length === 0) return
  const last = [...new Map(sources.map((one) => [one.source, one])).values()]
  await sql.run(
    `INSERT INTO load_settings (index_id, hash, content)
     SELECT $1::bigint, hash, content FROM unnest($2::text[], $3::text[]) AS one (hash, content) ON CONFLICT DO NOTHING`,
    indexId,
    settings.map(({ hash }) => hash),
    settings.map(({ content }) => content),
  )
  // Most sources of a load are as they were.
  await sql.run(
    `UPDATE sources SET settings = loaded.hash, request = loaded.asked
     FROM unnest($2::text[], $3::text[], $4::text[]) AS loaded (source, hash, asked)
     WHERE index_id = $1 AND name = loaded.source
       AND (sources.settings IS DISTINCT FROM loaded.hash OR sources.request IS DISTINCT FROM loaded.asked)`,
    indexId,
    last.map(({ source }) => source),
    last.map(({ settings: hash }) => hash),
    last.map(({ request }) => request),
  )
  await sql.run(
    `DELETE FROM load_settings WHERE index_id = $1
       AND NOT EXISTS (SELECT 1 FROM sources WHERE sources.index_id = $1 AND sources.settings = load_settings.hash)`,
    indexId,
  )
}

/** Gives an index the settings of sources of another, which have the same hashes there. */
export const copyLoadSettings = (sql: SqlSession, from: number, to: number) =>
  sql.run(
    `INSERT INTO load_settings SELECT $1::bigint, hash, content FROM load_settings WHERE index_id = $2
     ON CONFLICT DO NOTHING`,
    to,
    from,
  )
