import { conversationSources, storedSourceName } from '../../documents/conversation.ts'
import type {
  LoadCount,
  LoadedPage,
  LoadedSource,
  LoadedWith,
  StoredSettings,
} from '../../contract/source-load.ts'
import { type LoadedRow, loadedSourceOf } from '../rows/loaded-source.ts'
import type { SqlCondition } from '../sql/dialect.ts'
import type { SqlSession } from '../sql/session.ts'
import { allOf } from '../sql/statements.ts'
import { namesWithin } from './visible.ts'

export async function readLoadSettings(sql: SqlSession, indexId: number): Promise<StoredSettings[]> {
  const rows = await sql.all<StoredSettings>(
    'SELECT hash, content FROM load_settings WHERE index_id = ? ORDER BY hash',
    indexId,
  )
  return rows.map(({ hash, content }) => ({ hash, content }))
}

function loadedWhere({ settings, conversation }: LoadedWith, ...more: (SqlCondition | undefined)[]) {
  // A comparison that takes NULL as a value would not use the index in PostgreSQL.
  const same: SqlCondition =
    settings === null ? { sql: 'settings IS NULL', values: [] } : { sql: 'settings = ?', values: [settings] }
  const visible = { sql: 'chunks > 0', values: [] }
  return allOf(same, visible, namesWithin(conversation && conversationSources(conversation)), ...more)
}

export async function countLoaded(sql: SqlSession, indexId: number, which: LoadedWith): Promise<LoadCount> {
  const { where, values } = loadedWhere(which)
  const row = await sql.get<LoadCount>(
    `SELECT count(*) AS sources, count(original) AS originals, CAST(coalesce(sum(chunks), 0) AS bigint) AS chunks,
       CAST(coalesce(sum(characters), 0) AS bigint) AS characters FROM sources WHERE index_id = ? AND ${where}`,
    indexId,
    ...values,
  )
  const { sources, originals, chunks, characters } = row!
  return { sources, originals, chunks, characters }
}

/** Sources with some settings, by name; `after` is a name as the client knows it. */
export async function listLoaded(
  sql: SqlSession,
  indexId: number,
  { after, limit, kept, ...which }: LoadedPage,
): Promise<LoadedSource[]> {
  const { where, values } = loadedWhere(
    which,
    kept === undefined ? undefined : { sql: `original IS ${kept ? 'NOT ' : ''}NULL`, values: [] },
    { sql: 'name > ?', values: [after === undefined ? '' : storedSourceName(after, which.conversation)] },
  )
  const rows = await sql.all<LoadedRow>(
    `SELECT name, bytes, original, original_type AS "originalType", request
     FROM sources WHERE index_id = ? AND ${where} ORDER BY name LIMIT ?`,
    indexId,
    ...values,
    limit,
  )
  return rows.map(loadedSourceOf)
}
