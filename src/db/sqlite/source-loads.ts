import type { SourceLoads } from '../../contract/source-load.ts'
import type { Connection } from './connection.ts'

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
