import type { LedgerChunk, Publication } from '../../contract/ledger.ts'
import type { Connection } from './connection.ts'
import { checksum } from '../checksum.ts'
import { passageHashes } from './passage-hashes.ts'
import { textIndex } from './text-index.ts'
import type { Write } from './write.ts'
import { markPublished } from '../ledger/mark-published.ts'
import { markRemoved } from '../ledger/mark-removed.ts'
import { noteOutdated } from '../ledger/outdated.ts'
import { noteLoads } from '../ledger/source-loads.ts'
import { noteChunkEdits } from '../repositories/chunk-edits.ts'
import { droppedColumn, gapsColumn } from '../rows/dropped.ts'
import { endRemovals } from './removed-sources.ts'
import { sessionOf } from './sql.ts'
import { dropValueBlock, noteGoneValues } from './value-blocks.ts'
import { noteGone } from './vector-images.ts'

export type StageRequest = {
  indexId: number
  run: number
  chunks: LedgerChunk[]
  /** For each chunk 1 if the index certainly had no passage with its text before these chunks. */
  isNew?: Uint8Array
  /** A separate engine searches words: none are stored here. */
  engineWords?: boolean
  dimensions: number
  /** The vectors of the chunks that bring a text, one after another; absent where a separate engine has them. */
  vectors?: Float32Array | undefined
  now: number
}

/** Writes chunks and passages, with terms and with vectors where they are kept here; readers see them after the publication. */
export const stageChunks: Write<StageRequest, void> = {
  name: 'stageChunks',
  grows: true,
  staged: true,
  run(connection, { indexId, run, chunks, isNew, engineWords = false, dimensions, vectors, now }) {
    const write = passageWriter(connection, indexId, engineWords)
    const chunk = connection.prepare(
      'INSERT INTO chunks (source_id, passage_id, hash, metadata, metadata_hash, born, point, text_start, text_end) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    const sources = new Map<string, number>()
    let vector = 0
    for (const [at, given] of chunks.entries()) {
      const { source, hash, text, metadata, metadataHash, range, pointId = null } = given
      if (!sources.has(source)) sources.set(source, sourceId(connection, indexId, source, now))
      let passage: number | undefined
      if (text !== undefined) {
        const numbers = vectors?.subarray(vector, vector + dimensions)
        passage = write.passage({ hash, text, isNew: isNew?.[at] === 1, numbers })
        vector += dimensions
      }
      const passageId = passage ?? write.passageId(hash)
      const [start, end] = range ? [range.start, range.end] : [null, null]
      chunk.run(sources.get(source)!, passageId, hash, metadata, metadataHash, run, pointId, start, end)
    }
    write.end()
    if (!engineWords) textIndex.mergeSmall(connection, indexId)
  },
}

type NewPassage = { hash: string; text: string; isNew: boolean; numbers: Float32Array | undefined }

/** The statements for passages, prepared once a batch. */
function passageWriter(connection: Connection, indexId: number, engineWords: boolean) {
  const hashes = passageHashes(connection, indexId)
  const passage = connection.prepare('INSERT INTO passages (id, index_id, hash, content) VALUES (?, ?, ?, ?)')
  const vector = connection.prepare('INSERT INTO vectors (passage_id, vector, checksum) VALUES (?, ?, ?)')
  const words = engineWords ? undefined : textIndex.writer(connection, indexId)
  const firstId = textIndex.freeId(connection)
  let nextId = firstId
  return {
    passageId: (hash: string) => hashes.find(hash)!,

    /** Undefined where the text is there already: several chunks of a batch may have one text. */
    passage({ hash, text, isNew, numbers }: NewPassage): number | undefined {
      if (!hashes.add(hash, nextId, isNew)) return undefined
      passage.run(nextId, indexId, hash, text)
      words?.add(nextId, text)
      if (!numbers) return nextId++
      const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
      vector.run(nextId, bytes, checksum(bytes))
      return nextId++
    },

    end(): void {
      words?.end()
      hashes.tend(firstId, nextId)
    },
  }
}

function sourceId(connection: Connection, indexId: number, name: string, now: number): number {
  const known = connection.get<{ id: number }>(
    'SELECT id FROM sources WHERE index_id = ? AND name = ?',
    indexId,
    name,
  )
  if (known) return known.id
  return connection.get<{ id: number }>(
    'INSERT INTO sources (index_id, name, updated_at) VALUES (?, ?, ?) RETURNING id',
    indexId,
    name,
    now,
  )!.id
}

export type PublishRequest = Publication & {
  run: number
  indexId: number
  /** How many chunks this run has staged, by the names of their sources. */
  stagedOf?: ReadonlyMap<string, number>
  now: number
}

/** Publishes a run in one transaction: its chunks become visible, and those that it removes invisible. */
export const publishRun: Write<PublishRequest, void> = {
  name: 'publishRun',
  async run(connection, request) {
    const sql = sessionOf(connection)
    const { run, indexId, movedChunks = [], files, updatedSources, invalidatedFiles, receipt, now } = request
    await markPublished(sql, { run, receipt, now })
    countChunks(connection, request)
    const move = connection.prepare('UPDATE chunks SET text_start = ?, text_end = ? WHERE id = ?')
    for (const { id, range } of movedChunks) move.run(range.start, range.end, id)

    if (invalidatedFiles === 'all') connection.run('DELETE FROM files WHERE index_id = ?', indexId)
    else
      for (const name of invalidatedFiles)
        connection.run('DELETE FROM files WHERE index_id = ? AND name = ?', indexId, name)
    for (const { name, fingerprint, chunks } of files) {
      connection.run(
        'INSERT OR REPLACE INTO files (index_id, name, fingerprint, chunks) VALUES (?, ?, ?, ?)',
        indexId,
        name,
        fingerprint,
        chunks,
      )
    }
    if (request.restorableUntil === undefined) noteSources(connection, request)
    else await markRemoved(sql, { indexId, run, until: request.restorableUntil, sources: updatedSources })
    await noteLoads(sql, indexId, request.loads)
    endRemovals(connection, indexId, request.restoredSources ?? [])
    await noteOutdated(sql, request)
    await noteChunkEdits(sql, request)
  },
}

/** How many ids one statement takes: a statement for each chunk takes twice as long. */
const IDS_A_STATEMENT = 10_000

/** How many of some chunks readers see, by source. */
const LOST_BY_SOURCE = `SELECT source_id AS source, count(*) AS count
  FROM (SELECT DISTINCT value FROM json_each(?)) CROSS JOIN chunks ON chunks.id = value
  WHERE died IS NULL GROUP BY source_id`

const MARK_DEAD = 'UPDATE chunks SET died = ? WHERE id IN (SELECT value FROM json_each(?)) AND died IS NULL'

/** Marks removed chunks, and brings the counts of the index and of its sources up to date. */
function countChunks(connection: Connection, request: PublishRequest): void {
  const { run, indexId, stagedCount, stagedOf = new Map<string, number>(), removedChunkIds } = request
  const lost = new Map<number, number>()
  let died = 0
  for (let from = 0; from < removedChunkIds.length; from += IDS_A_STATEMENT) {
    const ids = JSON.stringify(removedChunkIds.slice(from, from + IDS_A_STATEMENT))
    for (const { source, count } of connection.all<{ source: number; count: number }>(LOST_BY_SOURCE, ids))
      lost.set(source, (lost.get(source) ?? 0) + count)
    died += connection.run(MARK_DEAD, run, ids)
  }
  connection.run('UPDATE indexes SET chunks = chunks + ? WHERE id = ?', stagedCount - died, indexId)
  const gain = connection.prepare('UPDATE sources SET chunks = chunks + ? WHERE index_id = ? AND name = ?')
  for (const [source, count] of stagedOf) gain.run(count, indexId, source)
  const lose = connection.prepare('UPDATE sources SET chunks = chunks - ? WHERE id = ?')
  for (const [source, count] of lost) lose.run(count, source)
}

/** Stores when sources were read, by which job, and what the run has learned about them. */
function noteSources(
  connection: Connection,
  { indexId, updatedSources, sourceFacts = [], receipt, now }: PublishRequest,
): void {
  endRemovals(connection, indexId, updatedSources)
  const note = connection.prepare(
    'UPDATE sources SET updated_at = ?, job = coalesce(?, job) WHERE index_id = ? AND name = ?',
  )
  for (const name of updatedSources) note.run(now, receipt?.job ?? null, indexId, name)
  const learn = connection.prepare(
    `UPDATE sources SET bytes = ?, characters = ?, original = ?, original_type = ?, dropped = ?, gaps = ?
     WHERE index_id = ? AND name = ?`,
  )
  for (const { source, bytes = null, characters, original, dropped, gaps } of sourceFacts)
    learn.run(
      ...[bytes, characters, original?.id ?? null, original?.type ?? null, droppedColumn(dropped)],
      ...[gapsColumn(gaps), indexId, source],
    )
}

/** Whether there is more to sweep, and the points that no chunk has any more. */
export type SweepStep = { more: boolean; pointIds: string[] }

/** `engineWords`: a separate engine searches words. */
export type SweepRequest = { indexId: number; limit: number; engineWords?: boolean }

/**
 * Deletes what readers do not see any more: removed chunks, and what abandoned runs staged; at most `limit` chunks a call,
 * so that other writes get their turn. Only while no run of the index is open: an open run may use a passage that is
 * about to be deleted. Then merges segments of the text index, or deletes them where words are not stored here any more.
 */
export const sweepIndex: Write<SweepRequest, SweepStep> = {
  name: 'sweepIndex',
  run(connection, { indexId, limit, engineWords = false }) {
    const rows = [...deadChunks(connection, indexId, limit)]
    if (rows.length < limit) rows.push(...abandonedChunks(connection, indexId, limit - rows.length))
    for (const { id } of rows) connection.run('DELETE FROM chunks WHERE id = ?', id)
    noteGoneValues(
      connection,
      indexId,
      rows.map(({ id }) => id),
    )
    const pointIds = unusedPoints(connection, indexId, rows)
    // Only the sources of deleted chunks: to look at all sources would make every small run slow in a large index.
    for (const source of new Set(rows.map((row) => row.source_id)))
      connection.run(REMOVE_EMPTY_SOURCE, source)
    const touched = [...new Set(rows.map((row) => row.passage_id))]
    noteGone(connection, indexId, touched)
    const passages = touched.filter((id) => isOrphan(connection, id))
    if (!engineWords) textIndex.remove(connection, indexId, passages)
    for (const id of passages) connection.run('DELETE FROM passages WHERE id = ?', id)
    const tend = engineWords ? textIndex.drop : textIndex.tend
    const more = rows.length === limit || tend(connection, indexId)
    if (!more) connection.run(`DELETE FROM runs WHERE index_id = ? AND state = 'abandoned'`, indexId)
    return { more, pointIds }
  },
}

/** The points of deleted chunks that no other chunk of the index has. */
function unusedPoints(connection: Connection, indexId: number, deleted: readonly ChunkRow[]): string[] {
  return [...new Set(deleted.flatMap(({ point }) => point ?? []))].filter(
    (point) =>
      connection.get(
        'SELECT 1 FROM chunks JOIN sources ON sources.id = source_id WHERE point = ? AND index_id = ? LIMIT 1',
        point,
        indexId,
      ) === undefined,
  )
}

const REMOVE_EMPTY_SOURCE =
  'DELETE FROM sources WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM chunks WHERE source_id = ?1)'

const REMOVE_CHUNKS = `DELETE FROM chunks WHERE id IN
  (SELECT chunks.id FROM sources JOIN chunks ON source_id = sources.id WHERE index_id = ? LIMIT ?)`
const REMOVE_PASSAGES =
  'DELETE FROM passages WHERE id IN (SELECT passage_id FROM passage_hashes WHERE index_id = ? LIMIT ?)'

/** Deletes what a removed index has left, at most `limit` chunks or passages a call. Returns whether there is more. */
export const sweepRemovedIndex: Write<{ indexId: number; limit: number }, boolean> = {
  name: 'sweepRemovedIndex',
  run(connection, { indexId, limit }) {
    const removed = connection.get(`SELECT 1 FROM indexes WHERE id = ? AND state = 'retired'`, indexId)
    if (!removed) return false
    for (const remove of [REMOVE_CHUNKS, REMOVE_PASSAGES])
      if (connection.run(remove, indexId, limit) === limit) return true
    if (textIndex.drop(connection, indexId) || dropValueBlock(connection, indexId)) return true
    connection.run(`DELETE FROM indexes WHERE id = ?`, indexId)
    return false
  },
}

type ChunkRow = { id: number; passage_id: number; source_id: number; point: string | null }

/** Removed chunks that cannot be restored. The runs in which chunks died come first: those to restore may be very many. */
const deadChunks = (connection: Connection, indexId: number, limit: number) =>
  connection.all<ChunkRow>(
    `WITH RECURSIVE deaths (run) AS (
       SELECT min(died) FROM chunks WHERE died IS NOT NULL
       UNION ALL SELECT (SELECT min(died) FROM chunks WHERE died > run) FROM deaths WHERE run IS NOT NULL)
     SELECT chunks.id, passage_id, source_id, point
     FROM deaths CROSS JOIN chunks ON died = run JOIN sources ON sources.id = source_id
     WHERE NOT EXISTS (SELECT 1 FROM sources WHERE removed_run = run) AND index_id = ? LIMIT ?`,
    indexId,
    limit,
  )

function abandonedChunks(connection: Connection, indexId: number, limit: number): ChunkRow[] {
  return connection.all<ChunkRow>(
    `SELECT chunks.id, passage_id, source_id, point FROM runs JOIN chunks ON chunks.id >= first_chunk AND born = seq
     WHERE state = 'abandoned' AND runs.index_id = ? LIMIT ?`,
    indexId,
    limit,
  )
}

const isOrphan = (connection: Connection, passageId: number) =>
  connection.get('SELECT 1 FROM chunks WHERE passage_id = ? LIMIT 1', passageId) === undefined
