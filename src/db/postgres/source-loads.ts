import { conversationSources, storedSourceName } from '../../documents/conversation.ts'
import type {
  LoadCount,
  LoadedPage,
  LoadedSource,
  LoadedWith,
  SourceLoads,
  StoredSettings,
} from '../../contract/source-load.ts'
import { type LoadedRow, loadedSourceOf } from '../rows/loaded-source.ts'
import { namesWithin } from './chunks.ts'
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

export const readLoadSettings = (sql: SqlSession, indexId: number): Promise<StoredSettings[]> =>
  sql.all<StoredSettings>('SELECT hash, content FROM load_settings WHERE index_id = $1', indexId)

/** The number of the first value is 2, after the index. */
function loadedWhere({ settings, conversation }: LoadedWith) {
  const { within, ends } = namesWithin(conversation && conversationSources(conversation), 2)
  // `IS NOT DISTINCT FROM` would not use the index.
  const same = settings === null ? 'settings IS NULL' : 'settings = $4'
  return {
    where: `${same} AND chunks > 0 AND ${within}`,
    values: settings === null ? ends : [...ends, settings],
  }
}

const keptWhere = (kept: boolean | undefined): string =>
  kept === undefined ? '' : ` AND original IS ${kept ? 'NOT ' : ''}NULL`

export async function countLoaded(sql: SqlSession, indexId: number, which: LoadedWith): Promise<LoadCount> {
  const { where, values } = loadedWhere(which)
  const row = await sql.get<LoadCount>(
    `SELECT count(*) AS sources, count(original) AS originals FROM sources WHERE index_id = $1 AND ${where}`,
    indexId,
    ...values,
  )
  return row!
}

/** Sources with some settings, by name; `after` is a name as the client knows it. */
export async function listLoaded(
  sql: SqlSession,
  indexId: number,
  { after, limit, kept, ...which }: LoadedPage,
): Promise<LoadedSource[]> {
  const { where, values } = loadedWhere(which)
  const next = values.length + 2
  const rows = await sql.all<LoadedRow>(
    `SELECT name, bytes, original, original_type AS "originalType", request
     FROM sources WHERE index_id = $1 AND ${where} ${keptWhere(kept)} AND name > $${next} ORDER BY name LIMIT $${next + 1}`,
    indexId,
    ...values,
    after === undefined ? '' : storedSourceName(after, which.conversation),
    limit,
  )
  return rows.map(loadedSourceOf)
}
