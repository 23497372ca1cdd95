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
import type { Connection, Row } from './connection.ts'

/** Stores with which settings sources were loaded, and forgets settings that no source has any more. */
export function noteLoads(
  connection: Connection,
  indexId: number,
  { settings, sources }: SourceLoads = { settings: [], sources: [] },
): void {
  if (sources.length === 0) return
  for (const { hash, content } of settings)
    connection.run(
      'INSERT OR IGNORE INTO load_settings (index_id, hash, content) VALUES (?, ?, ?)',
      indexId,
      hash,
      content,
    )
  // Most sources of a load are as they were, and a row that is not written costs no page of the log.
  const note = connection.prepare(
    `UPDATE sources SET settings = ?1, request = ?2
     WHERE index_id = ?3 AND name = ?4 AND (settings IS NOT ?1 OR request IS NOT ?2)`,
  )
  for (const { source, settings: hash, request } of sources) note.run(hash, request, indexId, source)
  connection.run(
    `DELETE FROM load_settings WHERE index_id = ?1
       AND NOT EXISTS (SELECT 1 FROM sources WHERE sources.index_id = ?1 AND settings = hash)`,
    indexId,
  )
}

/** Gives an index the settings of sources of another, which have the same hashes there. */
export const copyLoadSettings = (connection: Connection, from: number, to: number): void =>
  void connection.run(
    'INSERT OR IGNORE INTO load_settings SELECT ?, hash, content FROM load_settings WHERE index_id = ?',
    to,
    from,
  )

export const readLoadSettings = (connection: Connection, indexId: number): StoredSettings[] =>
  connection
    .all<StoredSettings & Row>('SELECT hash, content FROM load_settings WHERE index_id = ?', indexId)
    .map(({ hash, content }) => ({ hash, content }))

function loadedWhere({ settings, conversation }: LoadedWith) {
  const { within, ends } = namesWithin(conversation && conversationSources(conversation))
  return { where: `settings IS ? AND chunks > 0 AND ${within}`, values: [settings, ...ends] }
}

const keptWhere = (kept: boolean | undefined): string =>
  kept === undefined ? '' : ` AND original IS ${kept ? 'NOT ' : ''}NULL`

export function countLoaded(connection: Connection, indexId: number, which: LoadedWith): LoadCount {
  const { where, values } = loadedWhere(which)
  const { sources, originals } = connection.get<LoadCount & Row>(
    `SELECT count(*) AS sources, count(original) AS originals
     FROM sources WHERE index_id = ? AND ${where}`,
    indexId,
    ...values,
  )!
  return { sources, originals }
}

/** Sources with some settings, by name; `after` is a name as the client knows it. */
export function listLoaded(
  connection: Connection,
  indexId: number,
  { after, limit, kept, ...which }: LoadedPage,
): LoadedSource[] {
  const { where, values } = loadedWhere(which)
  return connection
    .all<LoadedRow & Row>(
      `SELECT name, bytes, original, original_type AS originalType, request
       FROM sources WHERE index_id = ? AND ${where} ${keptWhere(kept)} AND name > ? ORDER BY name LIMIT ?`,
      indexId,
      ...values,
      after === undefined ? '' : storedSourceName(after, which.conversation),
      limit,
    )
    .map(loadedSourceOf)
}
