import type { IndexRequest, LedgerRebuild, LedgerWriter, StoredChunk } from '../../contract/ledger.ts'
import type { Receipt } from '../../contract/job.ts'
import type { Clock } from '../../kit/clock.ts'
import { randomId } from '../../kit/hash.ts'
import { INDEX_COLUMNS, type IndexRow } from '../index-row.ts'
import type { SqlDatabase, SqlSession, SqlWrite } from '../sql/session.ts'
import { rangeOf, type RangeRow } from '../text-range.ts'
import { beginRun, lockedIndex, makeIndex, type OpenRun, removeIndexById } from './indexes.ts'
import { markPublished } from './mark-published.ts'
import { copyOutdated } from './outdated.ts'
import { copyLoadSettings } from './source-loads.ts'

/**
 * A second index is built beside the one that readers see: a run in it stages every chunk with its new vector, then it
 * replaces the first in one transaction. An unfinished index is kept for the next attempt.
 */
export type OpenRebuild = OpenRun & { old: IndexRow }

/** Begins a rebuild, or continues an earlier attempt; undefined where readers see nothing. */
export const openRebuild: SqlWrite<IndexRequest & { now: number }, OpenRebuild | undefined> = {
  name: 'openRebuild',
  grows: true,
  async run(sql, { namespace, embedder, engine, now }) {
    const old = await lockedIndex(sql, namespace)
    if (!old || old.chunks === 0) return undefined
    let building = await sql.get<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM indexes WHERE replaces = ?`, old.id)
    if (building && (building.embedder !== embedder || building.engine !== engine)) {
      await removeIndexById(sql, building.id)
      building = undefined
    }
    building ??= (await makeIndex(sql, { namespace: randomId(), embedder, engine, replaces: old.id, now }))!
    return { ...(await beginRun(sql, building, now)), old }
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
export const switchIndex: SqlWrite<SwitchRequest, void> = {
  name: 'switchIndex',
  async run(sql, { run, indexId, stagedCount, receipt, now }) {
    await markPublished(sql, { run, receipt, now })
    const old = (await sql.get<{ id: number; namespace: string }>(
      'SELECT id, namespace FROM indexes WHERE id = (SELECT replaces FROM indexes WHERE id = ?)',
      indexId,
    ))!
    await sql.run('UPDATE indexes SET replaces = NULL WHERE id = ?', indexId)
    await removeIndexById(sql, old.id)
    await sql.run(
      `UPDATE indexes SET state = 'live', namespace = ?, chunks = ? WHERE id = ?`,
      old.namespace,
      stagedCount,
      indexId,
    )
    await sql.run(
      'INSERT INTO files SELECT ?, name, fingerprint, chunks FROM files WHERE index_id = ?',
      indexId,
      old.id,
    )
    await sql.run(
      `UPDATE sources SET updated_at = earlier.updated_at, chunks = earlier.chunks, outdated = earlier.outdated, bytes = earlier.bytes,
         characters = earlier.characters, job = earlier.job, original = earlier.original,
         original_type = earlier.original_type, settings = earlier.settings, request = earlier.request,
         dropped = earlier.dropped, gaps = earlier.gaps FROM sources AS earlier
       WHERE sources.index_id = ? AND earlier.index_id = ? AND earlier.name = sources.name`,
      indexId,
      old.id,
    )
    await copyOutdated(sql, { from: old.id, to: indexId })
    await copyLoadSettings(sql, old.id, indexId)
  },
}

/** Removes an unfinished index that was begun before a moment. */
export const removeStaleRebuild: SqlWrite<{ indexId: number; before: number }, void> = {
  name: 'removeStaleRebuild',
  async run(sql, { indexId, before }) {
    const stale = await sql.get<{ id: number }>(
      'SELECT id FROM indexes WHERE replaces = ? AND created_at < ?',
      indexId,
      before,
    )
    if (stale) await removeIndexById(sql, stale.id)
  },
}

type RebuildParts = {
  database: Pick<SqlDatabase, 'write'>
  clock: Clock
  begun: OpenRebuild
  writer: LedgerWriter
  /** What each database reads in its own way. */
  reads: Pick<LedgerRebuild, 'chunks' | 'text'>
}

/** A second index of a namespace beside the first; publishing it makes it the one that readers see. */
export const ledgerRebuild = ({ database, clock, begun, writer, reads }: RebuildParts): LedgerRebuild => ({
  ...writer,
  ...reads,

  get dimensions() {
    return writer.dimensions
  },

  total: begun.old.chunks,

  publish: (stagedCount, receipt) =>
    database.write(switchIndex, {
      ...{ run: begun.run, indexId: begun.index.id, stagedCount, receipt },
      now: clock(),
    }),
})

/** The columns of a stored chunk, of `chunks` and `sources`. */
const STORED = `chunks.id, passage_id AS "passageId", name AS source, hash, metadata, metadata_hash AS "metadataHash",
  text_start AS "start", text_end AS "end"`

/** Chunks as a rebuild reads them. @param rest what follows the columns in a SELECT from `chunks` and `sources`, with its values */
export async function storedChunks(
  sql: SqlSession,
  rest: string,
  ...values: readonly number[]
): Promise<StoredChunk[]> {
  const rows = await sql.all<Omit<StoredChunk, 'range'> & RangeRow>(`SELECT ${STORED} ${rest}`, ...values)
  return rows.map(({ start, end, ...chunk }) => ({ ...chunk, range: rangeOf({ start, end }) }))
}
