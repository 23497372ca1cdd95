import type { KnownText } from '../../contract/ledger.ts'
import { ALL_CONVERSATIONS, isWithinFence, markOfFence } from '../../documents/conversation.ts'
import type { SourceRange } from '../../contract/conversation.ts'
import { rangeOf, type RangeRow } from '../text-range.ts'
import type { Connection, Row } from './connection.ts'
import { passageHashes } from './passage-hashes.ts'

/**
 * Reads of chunks. All are synchronous; several that must see one state go inside `connection.snapshot()`.
 */

/** The condition that readers see a chunk: its run is published, and no published run has removed it. */
export const VISIBLE = `died IS NULL AND born NOT IN (SELECT seq FROM runs WHERE state <> 'published')`

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

/** Ids of the visible chunks of a source that follow `after`, in order. */
export function visibleIds(
  connection: Connection,
  indexId: number,
  source: string,
  after: number,
  limit: number,
): number[] {
  return connection
    .all<{ id: number }>(
      `SELECT chunks.id FROM sources JOIN chunks ON source_id = sources.id
       WHERE index_id = ? AND name = ? AND chunks.id > ? AND ${VISIBLE} ORDER BY chunks.id LIMIT ?`,
      indexId,
      source,
      after,
      limit,
    )
    .map((row) => row.id)
}

/** Ids of the chunks that a run has staged for a source. */
export function stagedIds(
  connection: Connection,
  key: { indexId: number; run: number; source: string },
): number[] {
  return connection
    .all<{ id: number }>(
      'SELECT chunks.id FROM sources JOIN chunks ON source_id = sources.id WHERE index_id = ? AND name = ? AND born = ?',
      key.indexId,
      key.source,
      key.run,
    )
    .map((row) => row.id)
}

/** How many visible chunks an index has; each publication updates the number, so no rows are counted. */
export function countVisible(connection: Connection, indexId: number): number {
  return connection.get<{ chunks: number }>('SELECT chunks FROM indexes WHERE id = ?', indexId)?.chunks ?? 0
}

/** The condition of a range of sources, with its two values; without one, of the sources that belong to no conversation. */
export const namesWithin = (range: SourceRange | undefined) =>
  range
    ? { within: 'name >= ? AND name < ?', ends: [range.from, range.before] }
    : { within: 'NOT (name >= ? AND name < ?)', ends: [ALL_CONVERSATIONS.from, ALL_CONVERSATIONS.before] }

/** Whether an index has sources of conversations, visible or not. */
export const hasConversations = (connection: Connection, indexId: number): boolean =>
  connection.get(
    'SELECT 1 FROM sources WHERE index_id = ? AND name >= ? AND name < ? LIMIT 1',
    indexId,
    ALL_CONVERSATIONS.from,
    ALL_CONVERSATIONS.before,
  ) !== undefined

/** The namespaces with sources in a range. */
export function namespacesWithSources(connection: Connection, { from, before }: SourceRange): string[] {
  return connection
    .all<{ namespace: string }>(
      `SELECT namespace FROM indexes WHERE state = 'live' AND EXISTS
         (SELECT 1 FROM sources WHERE index_id = indexes.id AND name >= ? AND name < ?)`,
      from,
      before,
    )
    .map(({ namespace }) => namespace)
}

/** How many visible chunks the sources within a fence have, in all namespaces. */
export function chunksOfFence(connection: Connection, fence: string): number {
  return connection
    .all<{ name: string; chunks: number }>(
      `SELECT name, sources.chunks FROM indexes JOIN sources ON index_id = indexes.id
       WHERE state = 'live' AND name >= ? AND name < ? AND instr(name, ?) > 0 AND sources.chunks > 0`,
      ALL_CONVERSATIONS.from,
      ALL_CONVERSATIONS.before,
      markOfFence(fence),
    )
    .reduce((sum, { name, chunks }) => sum + (isWithinFence(name, fence) ? chunks : 0), 0)
}

/** The names of known files in a range. */
export function filesWithin(
  connection: Connection,
  indexId: number,
  { from, before }: SourceRange,
): string[] {
  return connection
    .all<{ name: string }>(
      'SELECT name FROM files WHERE index_id = ? AND name >= ? AND name < ?',
      indexId,
      from,
      before,
    )
    .map(({ name }) => name)
}

/** Whether a file has chunks under another source than its own name. */
export function filesHaveOtherSources(connection: Connection, indexId: number): boolean {
  return (
    connection.get(
      `SELECT 1 FROM files WHERE index_id = ?1 AND chunks > 0 AND NOT EXISTS
         (SELECT 1 FROM sources WHERE sources.index_id = ?1 AND sources.name = files.name) LIMIT 1`,
      indexId,
    ) !== undefined
  )
}

/** Texts and metadata of some chunks, in the order of the ids. */
export function chunkContents(
  connection: Connection,
  ids: readonly number[],
): { text: string; metadata: string }[] {
  return connection.all<{ text: string; metadata: string }>(
    `SELECT content AS text, metadata FROM json_each(?) AS wanted JOIN chunks ON chunks.id = wanted.value
     JOIN passages ON passages.id = passage_id ORDER BY wanted.key`,
    JSON.stringify(ids),
  )
}

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

/** The visible chunks of some points. */
export function chunksOfPoints(
  connection: Connection,
  indexId: number,
  pointIds: readonly string[],
): { point: string; content: string; metadata: string }[] {
  return connection.all<{ point: string; content: string; metadata: string }>(
    `SELECT point, content, metadata FROM json_each(?) CROSS JOIN chunks ON point = value
     JOIN sources ON sources.id = source_id JOIN passages ON passages.id = passage_id
     WHERE sources.index_id = ? AND ${VISIBLE} ORDER BY chunks.id`,
    JSON.stringify(pointIds),
    indexId,
  )
}

/** Texts and metadata of some points, visible or not; a point of several chunks comes several times. */
export function contentsOfPoints(
  connection: Connection,
  indexId: number,
  pointIds: readonly string[],
): { point: string; text: string; metadata: string }[] {
  return connection.all<{ point: string; text: string; metadata: string }>(
    `SELECT point, content AS text, metadata FROM json_each(?) CROSS JOIN chunks ON point = value
     JOIN sources ON sources.id = source_id JOIN passages ON passages.id = passage_id WHERE sources.index_id = ?`,
    JSON.stringify(pointIds),
    indexId,
  )
}

/** The points that have the text of one of some points: pairs of an id and another with the same text, itself among them. */
export function pointsOfSameText(
  connection: Connection,
  indexId: number,
  pointIds: readonly string[],
): { point: string; same: string }[] {
  return connection.all<{ point: string; same: string }>(
    `SELECT DISTINCT value AS point, others.point AS same
     FROM json_each(?) CROSS JOIN chunks AS own ON own.point = value JOIN sources ON sources.id = own.source_id
     JOIN chunks AS others ON others.passage_id = own.passage_id
     WHERE sources.index_id = ? AND others.point IS NOT NULL`,
    JSON.stringify(pointIds),
    indexId,
  )
}

/** The next points of an index by the ids of their chunks, visible or not; a point of several chunks comes several times. */
export function pointsAfter(
  connection: Connection,
  indexId: number,
  after: number,
  limit: number,
): { id: number; point: string }[] {
  return connection.all<{ id: number; point: string }>(
    `SELECT chunks.id, point FROM chunks CROSS JOIN sources ON sources.id = source_id
     WHERE chunks.id > ? AND index_id = ? AND point IS NOT NULL ORDER BY chunks.id LIMIT ?`,
    after,
    indexId,
    limit,
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

/** Bytes as float32 numbers, copied where their offset is not a multiple of four. */
export function floats(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes)
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
}
