import { floats } from '../floats.ts'
import { VISIBLE } from '../ledger/visible.ts'
import type { Connection, Row } from './connection.ts'

/** Reads for the images in memory: vectors and metadata of an index, and how each published run changed them. */

export type PassageVector = { id: number; vector: Float32Array }

/** The newest published run of an index; 0 before the first. */
export function lastPublished(connection: Connection, indexId: number): number {
  return (
    connection.get<{ seq: number | null }>(
      `SELECT max(seq) AS seq FROM runs WHERE index_id = ? AND state = 'published'`,
      indexId,
    )!.seq ?? 0
  )
}

/** The condition that readers see a chunk of a passage. */
const isVisible = (passage: string) =>
  `EXISTS (SELECT 1 FROM chunks WHERE passage_id = ${passage} AND ${VISIBLE})`

type VectorRow = Row & { id: number; vector: Uint8Array }

/** Chunks by their ids: those that follow `after`, up to `upTo`. */
export type ChunkSpan = { after: number; upTo: number }

/** The vectors of the passages of chunks that readers see; twice where two chunks have one passage. */
export function vectorsBetween(
  connection: Connection,
  indexId: number,
  { after, upTo }: ChunkSpan,
): PassageVector[] {
  // The chunks first, by their ids: ids in between belong to other namespaces and are skipped a few at a time.
  return connection
    .lists(
      `SELECT passage_id, vector FROM chunks CROSS JOIN sources ON sources.id = source_id
       CROSS JOIN vectors USING (passage_id)
       WHERE chunks.id > ? AND chunks.id <= ? AND index_id = ? AND ${VISIBLE}`,
      after,
      upTo,
      indexId,
    )
    .map(([id, vector]) => ({ id: id as number, vector: floats(vector as Uint8Array) }))
}

/** A published run; its chunks follow `before`. */
export type PublishedRun = { seq: number; before: number }

/** The next run after `after`; undefined where there is none. */
export function nextPublished(
  connection: Connection,
  indexId: number,
  after: number,
): PublishedRun | undefined {
  return connection.get<PublishedRun>(
    `SELECT seq, first_chunk - 1 AS before FROM runs
     WHERE index_id = ? AND state = 'published' AND seq > ? ORDER BY seq LIMIT 1`,
    indexId,
    after,
  )
}

/** The next chunks that a run staged, in order of their ids, and the vectors of their passages. */
export function broughtChunks(
  connection: Connection,
  run: number,
  after: number,
  limit: number,
): { chunk: number; passage: PassageVector }[] {
  return connection
    .all<VectorRow & { chunk: number }>(
      `SELECT chunks.id AS chunk, passage_id AS id, vector FROM chunks JOIN vectors USING (passage_id)
       WHERE chunks.id > ? AND born = ? AND died IS NULL ORDER BY chunks.id LIMIT ?`,
      after,
      run,
      limit,
    )
    .map(({ chunk, id, vector }) => ({ chunk, passage: { id, vector: floats(vector) } }))
}

/** The next chunks that died in a run, in order of their ids; of run 0 also those of other indexes. */
export const deadChunks = (connection: Connection, run: number, after: number, limit: number): number[] =>
  connection
    .lists('SELECT id FROM chunks WHERE died = ? AND id > ? ORDER BY id LIMIT ?', run, after, limit)
    .map(([id]) => id as number)

/** The chunks that runs of an index before a run have staged and not published are from `first` to before `end`. */
export const hiddenSpans = (
  connection: Connection,
  indexId: number,
  run: number,
): { first: number; end: number }[] =>
  connection.all(
    `SELECT first_chunk AS first, coalesce((SELECT min(first_chunk) FROM runs AS next
         WHERE next.index_id = runs.index_id AND next.seq > runs.seq), 9e15) AS "end"
     FROM runs WHERE index_id = ? AND state <> 'published' AND seq < ?`,
    indexId,
    run,
  )

/** The next chunks that a run removed, in order of their ids, and whether their passages have no visible chunk left. */
export function removedChunks(
  connection: Connection,
  run: number,
  after: number,
  limit: number,
): { chunk: number; passageId: number; gone: boolean }[] {
  return connection
    .all<{ chunk: number; passageId: number; gone: number }>(
      `SELECT id AS chunk, passage_id AS passageId, NOT ${isVisible('dead.passage_id')} AS gone
       FROM chunks AS dead WHERE died = ? AND id > ? ORDER BY id LIMIT ?`,
      run,
      after,
      limit,
    )
    .map((row) => ({ ...row, gone: row.gone === 1 }))
}
