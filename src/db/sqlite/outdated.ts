import type { Publication } from '../../contract/ledger.ts'
import { VISIBLE } from '../ledger/visible.ts'
import type { Connection } from './connection.ts'

/*
 * Chunks of earlier versions. A run that reads a source and does not remove what it does not find there leaves such chunks: they are
 * marked with the time of its publication, `outdated_at`. Those with the same time were of one version, so their ranges fit together.
 */

type Published = Pick<
  Publication,
  'outdatedChunkIds' | 'updatedSources' | 'restoredSources' | 'invalidatedFiles'
> & { indexId: number; now: number }

/** Marks what a publication leaves of earlier versions, and counts it by source. Without such chunks it is one look-up. */
export function noteOutdated(connection: Connection, published: Published): void {
  const { indexId, outdatedChunkIds, now } = published
  const sources = concernedSources(connection, published)
  if (sources.length === 0) return
  if (outdatedChunkIds) {
    const still = new Set(outdatedChunkIds)
    let latest = 0
    for (const id of sources)
      for (const chunk of markedChunks(connection, id))
        if (still.has(chunk.id)) latest = Math.max(latest, chunk.since)
        else connection.run('UPDATE chunks SET outdated_at = NULL WHERE id = ?', chunk.id)
    // Two versions never have the same time, whatever the clock says.
    connection.run(
      `UPDATE chunks SET outdated_at = ? WHERE id IN (SELECT value FROM json_each(?))
       AND outdated_at IS NULL AND died IS NULL`,
      Math.max(now, latest + 1),
      JSON.stringify(outdatedChunkIds),
    )
  }
  const count = connection.prepare(
    `UPDATE sources SET outdated = (SELECT count(*) FROM chunks WHERE source_id = sources.id
       AND outdated_at IS NOT NULL AND ${VISIBLE}) WHERE index_id = ? AND id = ?`,
  )
  for (const id of sources) count.run(indexId, id)
}

/** The sources whose count may change: those that have such chunks now or had some before. */
function concernedSources(
  connection: Connection,
  { indexId, outdatedChunkIds = [], updatedSources, restoredSources = [], invalidatedFiles }: Published,
): number[] {
  const found = new Set<number>()
  const marked = connection.all<{ id: number; name: string }>(
    'SELECT id, name FROM sources WHERE index_id = ? AND outdated > 0',
    indexId,
  )
  if (marked.length > 0) {
    const changed = new Set([...updatedSources, ...(invalidatedFiles === 'all' ? [] : invalidatedFiles)])
    for (const { id, name } of marked) if (changed.has(name)) found.add(id)
  }
  const ofChunks = 'SELECT DISTINCT source_id AS id FROM json_each(?) CROSS JOIN chunks ON chunks.id = value'
  if (outdatedChunkIds.length > 0)
    for (const { id } of connection.all<{ id: number }>(ofChunks, JSON.stringify(outdatedChunkIds)))
      found.add(id)
  for (const name of restoredSources) {
    const source = connection.get<{ id: number }>(
      'SELECT id FROM sources WHERE index_id = ? AND name = ?',
      indexId,
      name,
    )
    if (source) found.add(source.id)
  }
  return [...found]
}

const markedChunks = (connection: Connection, source: number): { id: number; since: number }[] =>
  connection.all<{ id: number; since: number }>(
    `SELECT id, outdated_at AS since FROM chunks
     WHERE source_id = ? AND outdated_at IS NOT NULL AND died IS NULL`,
    source,
  )

/** Marks the chunks of a new index that are outdated in the one whose place it takes. */
export function copyOutdated(connection: Connection, { from, to }: { from: number; to: number }): void {
  const sources = connection.all<{ old: number; id: number }>(
    `SELECT earlier.id AS old, sources.id FROM sources AS earlier
     JOIN sources ON sources.index_id = ? AND sources.name = earlier.name
     WHERE earlier.index_id = ? AND earlier.outdated > 0`,
    to,
    from,
  )
  for (const { old, id } of sources) {
    const since = new Map(markedTexts(connection, old).map((chunk) => [keyOf(chunk), chunk.since]))
    const mark = connection.prepare('UPDATE chunks SET outdated_at = ? WHERE id = ?')
    for (const chunk of textsOfSource(connection, id)) {
      const at = since.get(keyOf(chunk))
      if (at !== undefined) mark.run(at, chunk.id)
    }
  }
}

type TextKey = { hash: string; metadataHash: string }

/** A source has an equal pair of text and metadata once. */
const keyOf = ({ hash, metadataHash }: TextKey): string => `${hash} ${metadataHash}`

const markedTexts = (connection: Connection, source: number): (TextKey & { since: number })[] =>
  connection.all<TextKey & { since: number }>(
    `SELECT hash, metadata_hash AS metadataHash, outdated_at AS since FROM chunks
     WHERE source_id = ? AND outdated_at IS NOT NULL AND ${VISIBLE}`,
    source,
  )

const textsOfSource = (connection: Connection, source: number): (TextKey & { id: number })[] =>
  connection.all<TextKey & { id: number }>(
    'SELECT id, hash, metadata_hash AS metadataHash FROM chunks WHERE source_id = ?',
    source,
  )
