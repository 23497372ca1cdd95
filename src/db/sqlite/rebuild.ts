import type { IndexRequest, StoredChunk } from '../../contract/ledger.ts'
import type { Receipt } from '../../contract/job.ts'
import { randomId } from '../../kit/hash.ts'
import { INDEX_COLUMNS, type IndexRow } from '../index-row.ts'
import { VISIBLE } from '../ledger/visible.ts'
import { rangeOf, type RangeRow } from '../text-range.ts'
import type { Connection, Row } from './connection.ts'
import { beginRun, findIndex, indexFromRow, makeIndex, type OpenRun, retireIndex } from './indexes.ts'
import { copyOutdated } from './outdated.ts'
import { markPublished } from './publish.ts'
import { copyLoadSettings } from './source-loads.ts'
import type { Write } from './write.ts'
import { passageHashes } from './passage-hashes.ts'

/**
 * A second index is built beside the one that readers see: a run in it stages every chunk with its new vector, then it
 * replaces the first in one transaction. An unfinished index is kept for the next attempt.
 */
export type OpenRebuild = OpenRun & { old: IndexRow }

/** The index that will take the place of another. */
const buildingFor = (connection: Connection, old: number): IndexRow | undefined => {
  const row = connection.get(`SELECT ${INDEX_COLUMNS} FROM indexes WHERE replaces = ?`, old)
  return row && indexFromRow(row)
}

/** Begins a rebuild, or continues an earlier attempt; undefined where readers see nothing. */
export const openRebuild: Write<IndexRequest & { now: number }, OpenRebuild | undefined> = {
  name: 'openRebuild',
  grows: true,
  run(connection, { namespace, embedder, engine, now }) {
    const old = findIndex(connection, namespace)
    if (!old || old.chunks === 0) return undefined
    let building = buildingFor(connection, old.id)
    if (building && (building.embedder !== embedder || building.engine !== engine)) {
      retireIndex(connection, building.id)
      building = undefined
    }
    building ??= makeIndex(connection, { namespace: randomId(), embedder, engine, replaces: old.id, now })
    return { ...beginRun(connection, building, now), old }
  },
}

export type SwitchRequest = {
  run: number
  /** The new index, and how many chunks its run has staged. */
  indexId: number
  stagedCount: number
  receipt?: Receipt | undefined
  now: number
}

/** Replaces the old index by the new one in one transaction, with the records of files and the times of sources. */
export const switchIndex: Write<SwitchRequest, void> = {
  name: 'switchIndex',
  run(connection, { run, indexId, stagedCount, receipt, now }) {
    const old = connection.get<{ id: number; namespace: string }>(
      'SELECT id, namespace FROM indexes WHERE id = (SELECT replaces FROM indexes WHERE id = ?)',
      indexId,
    )!
    connection.run('UPDATE indexes SET replaces = NULL WHERE id = ?', indexId)
    retireIndex(connection, old.id)
    connection.run(
      `UPDATE indexes SET state = 'live', namespace = ?, chunks = ? WHERE id = ?`,
      old.namespace,
      stagedCount,
      indexId,
    )
    connection.run(
      'INSERT INTO files SELECT ?, name, fingerprint, chunks FROM files WHERE index_id = ?',
      indexId,
      old.id,
    )
    connection.run(
      `UPDATE sources SET updated_at = earlier.updated_at, chunks = earlier.chunks, outdated = earlier.outdated, bytes = earlier.bytes,
         characters = earlier.characters, job = earlier.job, original = earlier.original,
         original_type = earlier.original_type, settings = earlier.settings, request = earlier.request,
         dropped = earlier.dropped FROM sources AS earlier
       WHERE sources.index_id = ? AND earlier.index_id = ? AND earlier.name = sources.name`,
      indexId,
      old.id,
    )
    copyOutdated(connection, { from: old.id, to: indexId })
    copyLoadSettings(connection, old.id, indexId)
    markPublished(connection, { run, receipt, now })
  },
}

/** Retires an unfinished index that was begun before a moment. */
export const retireStaleRebuild: Write<{ indexId: number; before: number }, void> = {
  name: 'retireStaleRebuild',
  run(connection, { indexId, before }) {
    const stale = connection.get<{ id: number }>(
      'SELECT id FROM indexes WHERE replaces = ? AND created_at < ?',
      indexId,
      before,
    )
    if (stale) retireIndex(connection, stale.id)
  },
}

/** The range of the chunk ids of an index: after the first, up to the last. */
export function chunkRange(connection: Connection, indexId: number): { first: number; last: number } {
  return connection.get<{ first: number; last: number }>(
    `SELECT coalesce(min(first_chunk) - 1, 0) AS first, (SELECT coalesce(max(id), 0) FROM chunks) AS last
     FROM runs WHERE index_id = ?`,
    indexId,
  )!
}

/** The chunks that readers see between two ids, in order. */
export function visibleBetween(
  connection: Connection,
  indexId: number,
  after: number,
  upTo: number,
): StoredChunk[] {
  // The chunks first: ids in between belong to other namespaces and are skipped a few at a time.
  const rows = connection.all<Omit<StoredChunk, 'range'> & RangeRow & Row>(
    `SELECT chunks.id, passage_id AS passageId, name AS source, hash, metadata, metadata_hash AS metadataHash,
       text_start AS start, text_end AS end
     FROM chunks CROSS JOIN sources ON sources.id = source_id
     WHERE chunks.id > ? AND chunks.id <= ? AND index_id = ? AND ${VISIBLE} ORDER BY chunks.id`,
    after,
    upTo,
    indexId,
  )
  return rows.map(({ start, end, ...chunk }) => ({ ...chunk, range: rangeOf({ start, end }) }))
}

/** The text of a passage; undefined where another index has a vector for it. */
export function textWithoutVector(
  connection: Connection,
  otherIndexId: number,
  { passageId, hash }: Pick<StoredChunk, 'passageId' | 'hash'>,
): string | undefined {
  if (passageHashes(connection, otherIndexId).find(hash) !== undefined) return undefined
  return connection.get<{ content: string }>('SELECT content FROM passages WHERE id = ?', passageId)!.content
}
