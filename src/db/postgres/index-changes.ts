import { VISIBLE } from '../ledger/visible.ts'
import type { SqlSession } from './session.ts'

/** Reads for replicas of an index: its visible chunks, and how each published run changed them. */

/** A published run of an index. A run of a restored database may have the same number, but not the same token. */
export type PublishedRun = { seq: number; token: string }

/** An index at its newest publication; `run` is undefined before the first. */
export type IndexState = {
  embedder: string
  isLive: boolean
  /** How many chunks readers see. */
  chunks: number
  /** The changes of runs up to this one are deleted. */
  followedFrom: number
  run: PublishedRun | undefined
}

/** The state of an index; undefined where it is gone. One statement: every query asks it. */
async function indexState(sql: SqlSession, indexId: number): Promise<IndexState | undefined> {
  const row = await sql.get<Omit<IndexState, 'run'> & { seq: number | null; token: string }>(
    `SELECT embedder, indexes.state = 'live' AS "isLive", chunks, followed_from AS "followedFrom", seq, token
     FROM indexes LEFT JOIN LATERAL
       (SELECT seq, token FROM runs WHERE index_id = indexes.id AND runs.state = 'published' ORDER BY seq DESC LIMIT 1)
       AS last ON true
     WHERE indexes.id = $1`,
    indexId,
  )
  if (!row) return undefined
  const { seq, token, ...state } = row
  return { ...state, run: seq === null ? undefined : { seq, token } }
}

/** Which of some indexes readers of a namespace see. */
async function liveAmong(sql: SqlSession, indexIds: readonly number[]): Promise<Set<number>> {
  const rows = await sql.all<{ id: number }>(
    `SELECT id FROM indexes WHERE id = ANY($1) AND state = 'live'`,
    indexIds,
  )
  return new Set(rows.map(({ id }) => id))
}

/** How many published runs of some indexes come after the given ones. */
async function publishedAfter(
  sql: SqlSession,
  held: readonly { indexId: number; run: number }[],
): Promise<number> {
  const row = await sql.get<{ count: number }>(
    `SELECT count(*) AS count FROM unnest($1::bigint[], $2::bigint[]) AS held (index_id, seq)
       JOIN runs ON runs.index_id = held.index_id AND runs.seq > held.seq AND runs.state = 'published'`,
    held.map(({ indexId }) => indexId),
    held.map(({ run }) => run),
  )
  return row!.count
}

/** The next published runs of an index from a run on, in order; the first is that run if it is published. */
const publishedFrom = (
  sql: SqlSession,
  indexId: number,
  run: number,
  limit: number,
): Promise<PublishedRun[]> =>
  sql.all<PublishedRun>(
    `SELECT seq, token FROM runs WHERE index_id = $1 AND state = 'published' AND seq >= $2 ORDER BY seq LIMIT $3`,
    indexId,
    run,
    limit,
  )

/** A chunk with its text and its vector. `metadata` is canonical JSON text. */
export type FollowedChunk = {
  id: number
  born: number
  source: string
  hash: string
  content: string
  metadata: string
  metadataHash: string
  start: number | null
  end: number | null
  /** Float32 numbers, little endian; null where a separate engine has the vectors. */
  vector: Uint8Array | null
}

/** Which chunks: those that readers see of the runs up to `upTo`, or all that `run` staged. Read in the order of run and id. */
export type FollowedSpan = { indexId: number; after: { born: number; id: number }; limit: number } & (
  | { upTo: number }
  | { run: number }
)

function followedChunks(sql: SqlSession, span: FollowedSpan): Promise<FollowedChunk[]> {
  const { indexId, after, limit } = span
  const [which, value] =
    'run' in span ? (['born = $5', span.run] as const) : ([`born <= $5 AND ${VISIBLE}`, span.upTo] as const)
  return sql.all<FollowedChunk>(
    `SELECT chunks.id, born, name AS source, chunks.hash, content, metadata, metadata_hash AS "metadataHash",
       text_start AS start, text_end AS "end", vector
     FROM chunks JOIN sources ON sources.id = source_id
       JOIN passages ON passages.own IN (0, $1) AND passages.id = chunks.passage_id
       LEFT JOIN vectors ON vectors.own IN (0, $1) AND vectors.passage_id = chunks.passage_id
     WHERE chunks.own IN (0, $1) AND chunks.index_id = $1 AND (born, chunks.id) > ($2, $3) AND ${which} ORDER BY born, chunks.id LIMIT $4`,
    indexId,
    after.born,
    after.id,
    limit,
    value,
  )
}

/** Chunks that a run removed, and chunks that it gave another range: `moved`, with `starts` and `ends`. */
export type RunChanges = { removed: number[]; moved: number[]; starts: number[]; ends: number[] }

/** What a run changed beside the chunks that it staged, in parts. */
const changesOfRun = (sql: SqlSession, run: number): Promise<RunChanges[]> =>
  sql.all<RunChanges>(
    'SELECT removed, moved, starts, ends FROM run_changes WHERE run = $1 ORDER BY part',
    run,
  )

/** What a replica reads of the indexes that it follows. */
export type FollowedIndexes = {
  state(indexId: number): Promise<IndexState | undefined>
  liveAmong(indexIds: readonly number[]): Promise<Set<number>>
  publishedAfter(held: readonly { indexId: number; run: number }[]): Promise<number>
  publishedFrom(indexId: number, run: number, limit: number): Promise<PublishedRun[]>
  chunks(span: FollowedSpan): Promise<FollowedChunk[]>
  changes(run: number): Promise<RunChanges[]>
}

export const followedIndexes = (sql: SqlSession): FollowedIndexes => ({
  state: (indexId) => indexState(sql, indexId),
  liveAmong: (indexIds) => liveAmong(sql, indexIds),
  publishedAfter: (held) => publishedAfter(sql, held),
  publishedFrom: (indexId, run, limit) => publishedFrom(sql, indexId, run, limit),
  chunks: (span) => followedChunks(sql, span),
  changes: (run) => changesOfRun(sql, run),
})
