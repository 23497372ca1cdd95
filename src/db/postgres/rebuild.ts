import type { IndexRequest, StoredChunk } from '../../contract/ledger.ts'
import type { Receipt } from '../../contract/job.ts'
import { randomId } from '../../kit/hash.ts'
import { INDEX_COLUMNS, type IndexRow } from '../index-row.ts'
import { VISIBLE } from '../ledger/visible.ts'
import { rangeOf, type RangeRow } from '../text-range.ts'
import { beginRun, makeIndex, type OpenRun, retireIndex } from './indexes.ts'
import { copyOutdated } from './outdated.ts'
import { markPublished } from './publish.ts'
import type { SqlSession } from './session.ts'
import { copyLoadSettings } from './source-loads.ts'

/**
 * A second index is built beside the one that readers see: a run in it stages every chunk with its new vector, then it
 * replaces the first in one transaction. An unfinished index is kept for the next attempt.
 */
export type OpenRebuild = OpenRun & { old: IndexRow }

/** Begins a rebuild, or continues an earlier attempt; undefined where readers see nothing. */
export async function openRebuild(
  sql: SqlSession,
  { namespace, embedder, engine, now }: IndexRequest & { now: number },
): Promise<OpenRebuild | undefined> {
  const old = await sql.get<IndexRow>(
    `SELECT ${INDEX_COLUMNS} FROM indexes WHERE namespace = $1 AND state = 'live' FOR UPDATE`,
    namespace,
  )
  if (!old || old.chunks === 0) return undefined
  let building = await sql.get<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM indexes WHERE replaces = $1`, old.id)
  if (building && (building.embedder !== embedder || building.engine !== engine)) {
    await retireIndex(sql, building.id)
    building = undefined
  }
  building ??= (await makeIndex(sql, { namespace: randomId(), embedder, engine, replaces: old.id, now }))!
  return { ...(await beginRun(sql, building, now)), old }
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
export async function switchIndex(
  sql: SqlSession,
  { run, indexId, stagedCount, receipt, now }: SwitchRequest,
): Promise<void> {
  await markPublished(sql, { run, receipt, now })
  const old = (await sql.get<{ id: number; namespace: string }>(
    'SELECT id, namespace FROM indexes WHERE id = (SELECT replaces FROM indexes WHERE id = $1)',
    indexId,
  ))!
  await sql.run('UPDATE indexes SET replaces = NULL WHERE id = $1', indexId)
  await retireIndex(sql, old.id)
  await sql.run(
    `UPDATE indexes SET state = 'live', namespace = $1, chunks = $2 WHERE id = $3`,
    old.namespace,
    stagedCount,
    indexId,
  )
  await sql.run(
    'INSERT INTO files SELECT $1, name, fingerprint, chunks FROM files WHERE index_id = $2',
    indexId,
    old.id,
  )
  await sql.run(
    `UPDATE sources SET updated_at = earlier.updated_at, chunks = earlier.chunks, outdated = earlier.outdated, bytes = earlier.bytes,
       characters = earlier.characters, job = earlier.job, original = earlier.original,
       original_type = earlier.original_type, settings = earlier.settings, request = earlier.request,
       dropped = earlier.dropped
     FROM sources AS earlier
     WHERE sources.index_id = $1 AND earlier.index_id = $2 AND earlier.name = sources.name`,
    indexId,
    old.id,
  )
  await copyOutdated(sql, { from: old.id, to: indexId })
  await copyLoadSettings(sql, old.id, indexId)
}

/** Retires an unfinished index that was begun before a moment. */
export async function retireStaleRebuild(
  sql: SqlSession,
  { indexId, before }: { indexId: number; before: number },
): Promise<void> {
  const stale = await sql.get<{ id: number }>(
    'SELECT id FROM indexes WHERE replaces = $1 AND created_at < $2',
    indexId,
    before,
  )
  if (stale) await retireIndex(sql, stale.id)
}

/** The next chunks that readers see after an id, in order. */
export async function visibleAfter(
  sql: SqlSession,
  indexId: number,
  after: number,
  limit: number,
): Promise<StoredChunk[]> {
  const rows = await sql.all<Omit<StoredChunk, 'range'> & RangeRow>(
    `SELECT chunks.id, passage_id AS "passageId", name AS source, hash, metadata, metadata_hash AS "metadataHash",
       text_start AS start, text_end AS "end"
     FROM chunks JOIN sources ON sources.id = source_id
     WHERE chunks.index_id = $1 AND chunks.id > $2 AND ${VISIBLE} ORDER BY chunks.id LIMIT $3`,
    indexId,
    after,
    limit,
  )
  return rows.map(({ start, end, ...chunk }) => ({ ...chunk, range: rangeOf({ start, end }) }))
}

/** The text of a passage; undefined where another index has a vector for it. */
export async function textWithoutVector(
  sql: SqlSession,
  otherIndexId: number,
  { passageId, hash }: Pick<StoredChunk, 'passageId' | 'hash'>,
): Promise<string | undefined> {
  const row = await sql.get<{ content: string }>(
    `SELECT content FROM passages WHERE id = $1
       AND NOT EXISTS (SELECT 1 FROM passages WHERE index_id = $2 AND hash = $3)`,
    passageId,
    otherIndexId,
    hash,
  )
  return row?.content
}
