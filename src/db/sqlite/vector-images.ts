import { checksum } from '../checksum.ts'
import { VISIBLE } from '../ledger/visible.ts'
import type { Connection } from './connection.ts'
import type { Write } from './write.ts'

/*
 * The image file of an index is a copy of its vectors in memory, beside the database, in the state of one run. The row of
 * the index in `vector_images` names the file by a random token and has the run. While there is such a row, sweeps record
 * which passages readers do not see any more: the rows from which an older file could be brought up to date are deleted.
 */

/** Which file has the image of an index, and the run that it is in the state of. */
export type ImageRecord = { token: string; run: number }

/** Passages that are recorded for one file at most, 8 bytes each. With more, the image is loaded from the database. */
const MOST_GONE = 500_000

/** The file of an index; undefined where there is none. */
export function imageRecord(connection: Connection, indexId: number): ImageRecord | undefined {
  return connection.get<ImageRecord>(
    'SELECT token, run FROM vector_images WHERE index_id = ? AND token IS NOT NULL',
    indexId,
  )
}

/** The files of all indexes, by their tokens. */
export const imageTokens = (connection: Connection): Set<string> =>
  new Set(
    connection
      .all<{ token: string }>('SELECT token FROM vector_images WHERE token IS NOT NULL')
      .map(({ token }) => token),
  )

/** From now on removed passages of a live index are recorded. Returns whether it is live. */
export const beginImage: Write<number, boolean> = {
  name: 'beginImage',
  grows: true,
  run(connection, indexId) {
    connection.run(
      `INSERT OR IGNORE INTO vector_images (index_id) SELECT id FROM indexes WHERE id = ? AND state = 'live'`,
      indexId,
    )
    return connection.get('SELECT 1 FROM vector_images WHERE index_id = ?', indexId) !== undefined
  },
}

/**
 * Makes a complete file that of its index. Returns whether it is: not where the index is gone, or so much was removed since
 * {@link beginImage} that it was not recorded.
 */
export const noteImage: Write<{ indexId: number } & ImageRecord, boolean> = {
  name: 'noteImage',
  run(connection, { indexId, token, run }) {
    if (
      connection.run(
        'UPDATE vector_images SET token = ?, run = ? WHERE index_id = ?',
        token,
        run,
        indexId,
      ) === 0
    )
      return false
    connection.run('DELETE FROM gone_passages WHERE index_id = ? AND run <= ?', indexId, run)
    return true
  },
}

/** The file of an index is missing or damaged. */
export const dropImage: Write<{ indexId: number; token: string }, void> = {
  name: 'dropImage',
  run(connection, { indexId, token }) {
    connection.run(
      'UPDATE vector_images SET token = NULL, run = NULL WHERE index_id = ? AND token = ?',
      indexId,
      token,
    )
  },
}

/** Records those of some passages that readers do not see any more, where the index may have an image file. */
export function noteGone(connection: Connection, indexId: number, passages: readonly number[]): void {
  if (passages.length === 0) return
  if (!connection.get('SELECT 1 FROM vector_images WHERE index_id = ?', indexId)) return
  const gone = passages.filter((id) => !isVisiblePassage(connection, id))
  if (gone.length === 0) return
  const { recorded } = connection.get<{ recorded: number }>(
    'SELECT coalesce(sum(length(passages)), 0) / 8 AS recorded FROM gone_passages WHERE index_id = ?',
    indexId,
  )!
  if (recorded + gone.length > MOST_GONE) {
    connection.run('DELETE FROM vector_images WHERE index_id = ?', indexId)
    connection.run('DELETE FROM gone_passages WHERE index_id = ?', indexId)
    return
  }
  const bytes = new Uint8Array(Float64Array.from(gone).buffer)
  connection.run(
    `INSERT INTO gone_passages (index_id, run, passages, checksum)
     SELECT ?1, coalesce(max(seq), 0), ?2, ?3 FROM runs WHERE index_id = ?1 AND state = 'published'`,
    indexId,
    bytes,
    checksum(bytes),
  )
}

/** The passages that were recorded after a run; undefined where a record is damaged. Some may be visible again. */
export function gonePassages(connection: Connection, indexId: number, run: number): number[] | undefined {
  const gone: number[] = []
  for (const row of connection.all<{ passages: Uint8Array<ArrayBuffer>; checksum: number }>(
    'SELECT passages, checksum FROM gone_passages WHERE index_id = ? AND run > ?',
    indexId,
    run,
  )) {
    if (checksum(row.passages) !== row.checksum) return undefined
    for (const id of new Float64Array(row.passages.slice().buffer)) gone.push(id)
  }
  return gone
}

/** Whether readers see a chunk of a passage. */
export const isVisiblePassage = (connection: Connection, passageId: number): boolean =>
  connection.get(`SELECT 1 FROM chunks WHERE passage_id = ? AND ${VISIBLE} LIMIT 1`, passageId) !== undefined

/** All chunks that the runs of an index after a run have staged follow this one. */
export const chunkBeforeRunsAfter = (connection: Connection, indexId: number, run: number): number =>
  connection.get<{ before: number }>(
    `SELECT coalesce(min(first_chunk) - 1, (SELECT coalesce(max(id), 0) FROM chunks)) AS before
     FROM runs WHERE index_id = ? AND seq > ?`,
    indexId,
    run,
  )!.before

/** Whether a run of an index was published. */
export const isPublished = (connection: Connection, indexId: number, run: number): boolean =>
  connection.get(
    `SELECT 1 FROM runs WHERE seq = ? AND index_id = ? AND state = 'published'`,
    run,
    indexId,
  ) !== undefined

/** The published runs of an index after one run, up to another one. */
export const publishedBetween = (
  connection: Connection,
  indexId: number,
  { after, upTo }: { after: number; upTo: number },
): number[] =>
  connection
    .all<{ seq: number }>(
      `SELECT seq FROM runs WHERE index_id = ? AND state = 'published' AND seq > ? AND seq <= ? ORDER BY seq`,
      indexId,
      after,
      upTo,
    )
    .map(({ seq }) => seq)

/** Whether a published run of an index after one run has removed chunks whose rows are still there. */
export const hasRemovalsAfter = (connection: Connection, indexId: number, run: number): boolean =>
  connection.get(
    `SELECT 1 FROM runs CROSS JOIN chunks ON died = seq
     WHERE index_id = ? AND state = 'published' AND seq > ? LIMIT 1`,
    indexId,
    run,
  ) !== undefined

/** How many numbers the vectors of an index that readers see have together. */
export function countVectorNumbers(connection: Connection, indexId: number): number {
  const row = connection.get<{ numbers: number | null }>(
    'SELECT chunks * dimensions AS numbers FROM indexes WHERE id = ?',
    indexId,
  )
  return row?.numbers ?? 0
}
