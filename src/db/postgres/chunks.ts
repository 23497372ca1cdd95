import type { KnownText } from '../../contract/ledger.ts'
import { ALL_CONVERSATIONS, isWithinFence, markOfFence } from '../../documents/conversation.ts'
import type { SourceRange } from '../../contract/conversation.ts'
import { rangeOf, type RangeRow } from '../text-range.ts'
import type { SqlSession } from './session.ts'

/** The condition that readers see a chunk: its run is published, and no published run has removed it. */
export const VISIBLE = `died IS NULL AND born NOT IN (SELECT seq FROM runs WHERE state <> 'published')`

/**
 * The passages of an index by the hashes of their texts, one look-up each: for a long list the planner would rather read all passages
 * of the index, whose statistics may be old. The parameters are those of the index and of the list.
 */
export const passagesByHash = (index: string, hashes: string): string =>
  `unnest(${hashes}::text[]) AS asked (text_hash) CROSS JOIN LATERAL (
     SELECT id, hash FROM passages WHERE passages.index_id = ${index} AND passages.hash = text_hash LIMIT 1) AS passages`

/** What an index has of texts in a source: the visible chunks, and those of the run. */
export async function knownTexts(
  sql: SqlSession,
  { indexId, run, source }: { indexId: number; run: number; source: string },
  hashes: readonly string[],
): Promise<KnownText[]> {
  const rows = await sql.all<
    RangeRow & { hash: string; id: number | null; metadataHash: string; fresh: boolean }
  >(
    `SELECT passages.hash, chunks.id, metadata_hash AS "metadataHash", born = $1 AS fresh, text_start AS start, text_end AS "end"
     FROM ${passagesByHash('$2', '$4')} LEFT JOIN chunks ON passage_id = passages.id
       AND source_id = (SELECT id FROM sources WHERE index_id = $2 AND name = $3)
       AND (born = $1 OR (${VISIBLE}))
     ORDER BY chunks.id`,
    run,
    indexId,
    source,
    [...new Set(hashes)],
  )
  const known = new Map<string, KnownText['chunks']>()
  for (const { hash, id, metadataHash, fresh, ...range } of rows) {
    const chunks = known.get(hash) ?? []
    known.set(hash, chunks)
    if (id !== null) chunks.push({ id, metadataHash, fresh, range: rangeOf(range) })
  }
  return hashes.map((hash) => {
    const chunks = known.get(hash)
    return { embedded: chunks !== undefined, chunks: chunks ?? [] }
  })
}

/** Ids of the visible chunks of a source that follow `after`, in order. */
export const visibleIds = async (
  sql: SqlSession,
  indexId: number,
  source: string,
  after: number,
  limit: number,
): Promise<number[]> =>
  idsOf(
    await sql.all<{ id: number }>(
      `SELECT chunks.id FROM sources JOIN chunks ON source_id = sources.id
       WHERE sources.index_id = $1 AND name = $2 AND chunks.id > $3 AND ${VISIBLE} ORDER BY chunks.id LIMIT $4`,
      indexId,
      source,
      after,
      limit,
    ),
  )

/** Ids of the chunks that a run has staged for a source. */
export const stagedIds = async (
  sql: SqlSession,
  { indexId, run, source }: { indexId: number; run: number; source: string },
): Promise<number[]> =>
  idsOf(
    await sql.all<{ id: number }>(
      `SELECT chunks.id FROM chunks JOIN sources ON sources.id = source_id
       WHERE chunks.index_id = $1 AND born = $2 AND name = $3 ORDER BY chunks.id`,
      indexId,
      run,
      source,
    ),
  )

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id)

/** How many visible chunks an index has. */
export const countVisible = async (sql: SqlSession, indexId: number): Promise<number> =>
  (await sql.get<{ chunks: number }>('SELECT chunks FROM indexes WHERE id = $1', indexId))?.chunks ?? 0

/**
 * The condition of a range of sources with its two values, whose numbers begin at `first`; without a range, of the sources
 * that belong to no conversation.
 */
export const namesWithin = (range: SourceRange | undefined, first: number) =>
  range
    ? { within: `name >= $${first} AND name < $${first + 1}`, ends: [range.from, range.before] }
    : {
        within: `NOT (name >= $${first} AND name < $${first + 1})`,
        ends: [ALL_CONVERSATIONS.from, ALL_CONVERSATIONS.before],
      }

/** Whether an index has sources of conversations, visible or not. */
export const hasConversations = async (sql: SqlSession, indexId: number): Promise<boolean> =>
  (await sql.get(
    'SELECT 1 FROM sources WHERE index_id = $1 AND name >= $2 AND name < $3 LIMIT 1',
    indexId,
    ALL_CONVERSATIONS.from,
    ALL_CONVERSATIONS.before,
  )) !== undefined

/** The namespaces with sources in a range. */
export async function namespacesWithSources(
  sql: SqlSession,
  { from, before }: SourceRange,
): Promise<string[]> {
  const rows = await sql.all<{ namespace: string }>(
    `SELECT namespace FROM indexes WHERE state = 'live' AND EXISTS
       (SELECT 1 FROM sources WHERE index_id = indexes.id AND name >= $1 AND name < $2) ORDER BY namespace`,
    from,
    before,
  )
  return rows.map(({ namespace }) => namespace)
}

/** How many visible chunks the sources within a fence have, in all namespaces. */
export async function chunksOfFence(sql: SqlSession, fence: string): Promise<number> {
  const rows = await sql.all<{ name: string; chunks: number }>(
    `SELECT name, sources.chunks FROM indexes JOIN sources ON index_id = indexes.id
     WHERE state = 'live' AND name >= $1 AND name < $2 AND strpos(name, $3) > 0 AND sources.chunks > 0`,
    ALL_CONVERSATIONS.from,
    ALL_CONVERSATIONS.before,
    markOfFence(fence),
  )
  return rows.reduce((sum, { name, chunks }) => sum + (isWithinFence(name, fence) ? chunks : 0), 0)
}

/** The names of known files in a range. */
export async function filesWithin(
  sql: SqlSession,
  indexId: number,
  { from, before }: SourceRange,
): Promise<string[]> {
  const rows = await sql.all<{ name: string }>(
    'SELECT name FROM files WHERE index_id = $1 AND name >= $2 AND name < $3',
    indexId,
    from,
    before,
  )
  return rows.map(({ name }) => name)
}

/** Whether a file has chunks under another source than its own name. */
export const filesHaveOtherSources = async (sql: SqlSession, indexId: number): Promise<boolean> =>
  (await sql.get(
    `SELECT 1 FROM files WHERE index_id = $1 AND chunks > 0 AND NOT EXISTS
       (SELECT 1 FROM sources WHERE sources.index_id = $1 AND sources.name = files.name) LIMIT 1`,
    indexId,
  )) !== undefined

export type VisibleChunk = { id: number; source: string; metadata: string }

/** Which visible chunks: of some sources, or of a range of sources; without either, of the sources that belong to no conversation. */
export type Visible = { sources?: readonly string[] | undefined; range?: SourceRange | undefined }

/** How many rows one read brings. */
const STEP = 2000

/** Visible chunks of an index in the order of their ids, a batch at a time. */
export async function* eachVisible(
  sql: SqlSession,
  indexId: number,
  { sources, range }: Visible,
): AsyncIterable<VisibleChunk[]> {
  const { within, ends } =
    sources === undefined ? namesWithin(range, 4) : { within: 'name = ANY($4)', ends: [sources] }
  for (let after = 0; ; ) {
    const rows = await sql.all<VisibleChunk>(
      `SELECT chunks.id, name AS source, metadata FROM sources JOIN chunks ON source_id = sources.id
       WHERE sources.index_id = $1 AND chunks.id > $2 AND ${within} AND ${VISIBLE} ORDER BY chunks.id LIMIT $3`,
      indexId,
      after,
      STEP,
      ...ends,
    )
    if (rows.length > 0) yield rows
    if (rows.length < STEP) return
    after = rows.at(-1)!.id
  }
}

/** Texts and metadata of some chunks, in the order of the ids. */
export const chunkContents = (
  sql: SqlSession,
  ids: readonly number[],
): Promise<{ text: string; metadata: string }[]> =>
  sql.all<{ text: string; metadata: string }>(
    `SELECT content AS text, metadata FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (chunk, at)
     JOIN chunks ON chunks.id = wanted.chunk JOIN passages ON passages.id = passage_id ORDER BY at`,
    ids,
  )

/** The visible chunks of some points. */
export const chunksOfPoints = (
  sql: SqlSession,
  indexId: number,
  pointIds: readonly string[],
): Promise<{ point: string; content: string; metadata: string }[]> =>
  sql.all<{ point: string; content: string; metadata: string }>(
    `SELECT point, content, metadata FROM chunks JOIN passages ON passages.id = passage_id
     WHERE point = ANY($1) AND chunks.index_id = $2 AND ${VISIBLE} ORDER BY chunks.id`,
    pointIds,
    indexId,
  )

/** Texts and metadata of some points, visible or not; a point of several chunks comes several times. */
export const contentsOfPoints = (
  sql: SqlSession,
  indexId: number,
  pointIds: readonly string[],
): Promise<{ point: string; text: string; metadata: string }[]> =>
  sql.all<{ point: string; text: string; metadata: string }>(
    `SELECT point, content AS text, metadata FROM chunks JOIN passages ON passages.id = passage_id
     WHERE point = ANY($1) AND chunks.index_id = $2`,
    pointIds,
    indexId,
  )

/** The points that have the text of one of some points: pairs of an id and another with the same text, itself among them. */
export const pointsOfSameText = (
  sql: SqlSession,
  indexId: number,
  pointIds: readonly string[],
): Promise<{ point: string; same: string }[]> =>
  sql.all<{ point: string; same: string }>(
    `SELECT DISTINCT own.point, others.point AS same
     FROM chunks AS own JOIN chunks AS others ON others.passage_id = own.passage_id
     WHERE own.point = ANY($1) AND own.index_id = $2 AND others.point IS NOT NULL`,
    pointIds,
    indexId,
  )

/** The next points of an index by the ids of their chunks, visible or not; a point of several chunks comes several times. */
export const pointsAfter = (
  sql: SqlSession,
  indexId: number,
  after: number,
  limit: number,
): Promise<{ id: number; point: string }[]> =>
  sql.all<{ id: number; point: string }>(
    `SELECT id, point FROM chunks WHERE index_id = $1 AND id > $2 AND point IS NOT NULL ORDER BY id LIMIT $3`,
    indexId,
    after,
    limit,
  )

/** The texts of some hashes, each with a point that has its vector. */
export async function textsOf(
  sql: SqlSession,
  indexId: number,
  hashes: readonly string[],
): Promise<Map<string, { text: string; pointId: string }>> {
  const rows = await sql.all<{ hash: string; text: string; pointId: string }>(
    `SELECT passages.hash, content AS text, max(point) AS "pointId"
     FROM ${passagesByHash('$1', '$2')} JOIN passages AS own USING (id) JOIN chunks ON passage_id = passages.id
     WHERE point IS NOT NULL GROUP BY passages.id, passages.hash, content`,
    indexId,
    hashes,
  )
  return new Map(rows.map(({ hash, ...found }) => [hash, found]))
}
