import type { KnownText } from '../../contract/ledger.ts'
import { ALL_CONVERSATIONS } from '../../documents/conversation.ts'
import { floats } from '../floats.ts'
import { VISIBLE } from '../ledger/visible.ts'
import { rangeOf, type RangeRow } from '../text-range.ts'
import type { Connection, Row } from './connection.ts'
import { passageHashes } from './passage-hashes.ts'

/**
 * Reads of chunks. All are synchronous; several that must see one state go inside `connection.snapshot()`.
 */

/** What an index has of texts in a source: the visible chunks, and those of the run. */
export function knownTexts(
  connection: Connection,
  key: { indexId: number; run: number; source: string },
  hashes: readonly string[],
): KnownText[] {
  const sourceId = connection.get<{ id: number }>(
    'SELECT id FROM sources WHERE index_id = ? AND name = ?',
    key.indexId,
    key.source,
  )?.id
  const passages = passageHashes(connection, key.indexId)
  const chunks = connection.prepare(
    `SELECT id, metadata_hash AS metadataHash, born = ?1 AS fresh, text_start AS start, text_end AS end FROM chunks
     WHERE source_id = ?2 AND passage_id = ?3 AND (born = ?1 OR ${VISIBLE}) ORDER BY id`,
  )
  return hashes.map((hash) => {
    const passage = passages.find(hash)
    if (passage === undefined) return { embedded: false, chunks: [] }
    if (sourceId === undefined) return { embedded: true, chunks: [] }
    const rows = chunks.all(key.run, sourceId, passage) as ({
      id: number
      metadataHash: string
      fresh: number
    } & RangeRow)[]
    return {
      embedded: true,
      chunks: rows.map((row) => ({
        id: row.id,
        metadataHash: row.metadataHash,
        fresh: row.fresh === 1,
        range: rangeOf(row),
      })),
    }
  })
}

/** The visible chunks of a source with the fingerprints of their texts, in order, at most `limit`. */
export function visibleTexts(
  connection: Connection,
  indexId: number,
  source: string,
  limit: number,
): (RangeRow & { hash: string; id: number; metadataHash: string })[] {
  return connection.all<RangeRow & { hash: string; id: number; metadataHash: string }>(
    `SELECT hash, chunks.id, metadata_hash AS metadataHash, text_start AS start, text_end AS end FROM sources JOIN chunks ON source_id = sources.id
     WHERE index_id = ? AND name = ? AND ${VISIBLE} ORDER BY chunks.id LIMIT ?`,
    indexId,
    source,
    limit,
  )
}

/** How many visible chunks an index has; each publication updates the number, so no rows are counted. */
export function countVisible(connection: Connection, indexId: number): number {
  return connection.get<{ chunks: number }>('SELECT chunks FROM indexes WHERE id = ?', indexId)?.chunks ?? 0
}

/** Whether an index is the one that readers of its namespace see. */
export const isLive = (connection: Connection, indexId: number): boolean =>
  connection.get(`SELECT 1 FROM indexes WHERE id = ? AND state = 'live'`, indexId) !== undefined

/** Whether an index has sources of conversations, visible or not. */
export const hasConversations = (connection: Connection, indexId: number): boolean =>
  connection.get(
    'SELECT 1 FROM sources WHERE index_id = ? AND name >= ? AND name < ? LIMIT 1',
    indexId,
    ALL_CONVERSATIONS.from,
    ALL_CONVERSATIONS.before,
  ) !== undefined

/** Which of some passages have a visible chunk. */
export function visibleAmong(connection: Connection, passageIds: readonly number[]): Set<number> {
  const rows = connection.all<{ id: number }>(
    `SELECT DISTINCT passage_id AS id FROM json_each(?) JOIN chunks ON passage_id = value WHERE ${VISIBLE}`,
    JSON.stringify(passageIds),
  )
  return new Set(rows.map(({ id }) => id))
}

export type ChunkHit = {
  passageId: number
  sourceId: number
  hash: string
  content: string
  source: string
  metadata: string
  metadataHash: string
}

/** The visible chunks of some passages. */
export function chunksOfPassages(connection: Connection, passageIds: readonly number[]): ChunkHit[] {
  return connection.all<ChunkHit & Row>(
    `SELECT passages.id AS passageId, chunks.hash, content, source_id AS sourceId, sources.name AS source, metadata,
       metadata_hash AS metadataHash
     FROM json_each(?) JOIN passages ON passages.id = value JOIN chunks ON passage_id = passages.id
     JOIN sources ON sources.id = source_id WHERE ${VISIBLE} ORDER BY chunks.id`,
    JSON.stringify(passageIds),
  )
}

/** The texts of some hashes, each with a point that has its vector. */
export function textsOf(
  connection: Connection,
  indexId: number,
  hashes: readonly string[],
): Map<string, { text: string; pointId: string }> {
  const rows = connection.all<{ hash: string; text: string; pointId: string }>(
    `SELECT passages.hash, content AS text, max(point) AS pointId
     FROM json_each(?) CROSS JOIN passage_hashes AS found
       ON found.index_id = ? AND found.level IN (0, 1, 2) AND found.hash = value
     JOIN passages ON passages.id = found.passage_id JOIN chunks ON chunks.passage_id = passages.id
     WHERE point IS NOT NULL GROUP BY passages.id`,
    JSON.stringify(hashes),
    indexId,
  )
  return new Map(rows.map(({ hash, ...found }) => [hash, found]))
}

/** The vectors of some passages; a passage that is gone is left out. */
export function vectorsOf(connection: Connection, passageIds: readonly number[]): Map<number, Float32Array> {
  const rows = connection.all<Row & { id: number; vector: Uint8Array<ArrayBuffer> }>(
    'SELECT passage_id AS id, vector FROM json_each(?) JOIN vectors ON passage_id = value',
    JSON.stringify(passageIds),
  )
  return new Map(rows.map(({ id, vector }) => [id, floats(vector)]))
}
