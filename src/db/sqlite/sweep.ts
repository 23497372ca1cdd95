import type { Connection } from './connection.ts'
import { textIndex } from './text-index.ts'
import { dropValueBlock, noteGoneValues } from './value-blocks.ts'
import { noteGone } from './vector-images.ts'
import type { Write } from './write.ts'

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
