import type { Connection } from './connection.ts'
import { noteGone } from './vector-images.ts'
import type { Write } from './write.ts'

/*
 * Removed sources that can be restored: their chunks have died in the run that `sources.removed_run` names, and the sweep
 * leaves them. To end a removal moves them to run 0, and the next sweep deletes them.
 */

/** Chunks that one step stages again at most, so that other writes get their turn. */
const STEP = 1000

/** From now on these sources cannot be restored any more; nothing happens to sources that were not removed. */
export function endRemovals(connection: Connection, indexId: number, sources: readonly string[]): void {
  const any = 'SELECT 1 FROM sources WHERE removed_run IS NOT NULL AND index_id = ? LIMIT 1'
  if (sources.length === 0 || !connection.get(any, indexId)) return
  const removal = connection.prepare(
    'SELECT id, removed_run AS run FROM sources WHERE index_id = ? AND name = ? AND removed_run IS NOT NULL',
  )
  for (const name of sources) {
    const found = removal.get(indexId, name) as Removal | undefined
    if (found) endRemoval(connection, indexId, found)
  }
}

type Removal = { id: number; run: number }

function endRemoval(connection: Connection, indexId: number, { id, run }: Removal): void {
  const passages = connection.all<{ passage: number }>(
    'UPDATE chunks SET died = 0 WHERE source_id = ? AND died = ? RETURNING passage_id AS passage',
    id,
    run,
  )
  noteGone(connection, indexId, [...new Set(passages.map(({ passage }) => passage))])
  connection.run('UPDATE sources SET removed_run = NULL, removed_until = NULL WHERE id = ?', id)
}

/** Ends the next removal of an index that can be restored no more; returns whether there was one. */
export const endExpiredRemoval: Write<{ indexId: number; now: number }, boolean> = {
  name: 'endExpiredRemoval',
  run(connection, { indexId, now }) {
    const expired = connection.get<Removal>(
      `SELECT id, removed_run AS run FROM sources
       WHERE removed_run IS NOT NULL AND index_id = ? AND removed_until <= ? LIMIT 1`,
      indexId,
      now,
    )
    if (expired) endRemoval(connection, indexId, expired)
    return expired !== undefined
  },
}

/** `after`: the id of the last chunk that was staged again before. */
export type RestageRequest = { indexId: number; run: number; source: string; after: number }

/** Stages copies of the next removed chunks of a source. They have the passages of the removed ones: nothing is embedded. */
export const restageRemoved: Write<RestageRequest, { count: number; after: number | undefined }> = {
  name: 'restageRemoved',
  grows: true,
  staged: true,
  run(connection, { indexId, run, source, after }) {
    const rows = connection.all<{ id: number }>(
      `SELECT chunks.id FROM sources JOIN chunks ON source_id = sources.id AND died = removed_run
       WHERE index_id = ? AND name = ? AND chunks.id > ? ORDER BY chunks.id LIMIT ?`,
      indexId,
      source,
      after,
      STEP,
    )
    const copy = connection.prepare(
      `INSERT INTO chunks (source_id, passage_id, hash, metadata, metadata_hash, born, point, text_start, text_end, outdated_at)
       SELECT source_id, passage_id, hash, metadata, metadata_hash, ?, point, text_start, text_end, outdated_at FROM chunks WHERE id = ?`,
    )
    for (const { id } of rows) copy.run(run, id)
    return { count: rows.length, after: rows.length < STEP ? undefined : rows.at(-1)!.id }
  },
}
