import { setImmediate } from 'node:timers/promises'
import type { SourceRange } from '../../contract/conversation.ts'
import { chunkIdOf } from '../../documents/chunk-id.ts'
import type { SourceVersion } from '../../contract/source-version.ts'
import { likePattern } from '../like-pattern.ts'
import type { RangeRow } from '../text-range.ts'
import { type ChunkHit, namesWithin, VISIBLE } from './chunks.ts'
import type { Connection, Row } from './connection.ts'
import { markOf } from './outdated.ts'

/** Which chunks are listed: of one source, or of all sources of a range; with a search, those whose text contains it. */
export type Listed = {
  source?: string | undefined
  range?: SourceRange | undefined
  version?: SourceVersion | undefined
  search?: string | undefined
}

type ListedRow = ChunkHit & RangeRow & { outdatedAt: number | null }

/** How many chunks one step of a search for an id reads: a few milliseconds. */
const STEP = 2000

/** A chunk without a range stands before all others. */
const POSITION = 'coalesce(text_start, -1)'

function listedWhere({ source, range, version, search }: Listed): {
  where: string
  values: (string | number | null)[]
} {
  const { within, ends } = source === undefined ? namesWithin(range) : { within: 'name = ?', ends: [source] }
  const conditions = [within, VISIBLE]
  const values: (string | number | null)[] = [...ends]
  if (version !== undefined) {
    conditions.push('outdated_at IS ?')
    values.push(markOf(version))
  }
  if (search !== undefined) {
    conditions.push(`EXISTS (SELECT 1 FROM passages WHERE id = passage_id AND content LIKE ? ESCAPE '\\')`)
    values.push(likePattern(search))
  }
  return { where: conditions.join(' AND '), values }
}

/** Whether all chunks of a range of sources are listed: then the counts of the sources say where a page is, and how many there are. */
const isWhole = ({ source, version, search }: Listed): boolean =>
  source === undefined && version === undefined && search === undefined

/**
 * The sources of a range with the chunks of a page, found by the counts of the sources: no chunk before the page is read.
 * `offset`: that of the page within these sources.
 */
function sourcesOfPage(
  connection: Connection,
  indexId: number,
  { range, offset, limit }: { range: SourceRange | undefined; offset: number; limit: number },
): { ids: number[]; offset: number } {
  const { within, ends } = namesWithin(range)
  const found = connection.all<{ id: number; before: number }>(
    `SELECT id, before FROM (
       SELECT id, name, chunks, sum(chunks) OVER (ORDER BY name ROWS UNBOUNDED PRECEDING) - chunks AS before
       FROM sources WHERE index_id = ? AND ${within} AND chunks > 0)
     WHERE before + chunks > ? AND before < ? ORDER BY name`,
    indexId,
    ...ends,
    offset,
    offset + limit,
  )
  return { ids: found.map(({ id }) => id), offset: offset - (found[0]?.before ?? offset) }
}

/** A page of visible chunks, source by source by name, each by the position in its text. */
export function listChunks(
  connection: Connection,
  indexId: number,
  page: Listed & { offset: number; limit: number },
): ListedRow[] {
  if (!isWhole(page)) return readPage(connection, indexId, page, listedWhere(page))
  const { ids, offset } = sourcesOfPage(connection, indexId, { range: page.range, ...page })
  return readPage(
    connection,
    indexId,
    { offset, limit: page.limit },
    { where: `sources.id IN (SELECT value FROM json_each(?)) AND ${VISIBLE}`, values: [JSON.stringify(ids)] },
  )
}

function readPage(
  connection: Connection,
  indexId: number,
  { offset, limit }: { offset: number; limit: number },
  { where, values }: ReturnType<typeof listedWhere>,
): ListedRow[] {
  // Texts are read after the page is known: sorting them would copy all of them.
  return connection.all<ListedRow & Row>(
    `SELECT passage_id AS passageId, chunks.hash, content, name AS source, metadata, metadata_hash AS metadataHash,
       text_start AS start, text_end AS end, outdated_at AS outdatedAt
     FROM (SELECT chunks.id, name FROM sources JOIN chunks ON source_id = sources.id
           WHERE sources.index_id = ? AND ${where} ORDER BY name, ${POSITION}, chunks.id LIMIT ? OFFSET ?) AS page
     JOIN chunks ON chunks.id = page.id JOIN passages ON passages.id = passage_id
     ORDER BY name, ${POSITION}, chunks.id`,
    indexId,
    ...values,
    limit,
    offset,
  )
}

/** How many visible chunks there are of these. */
export function countListed(connection: Connection, indexId: number, listed: Listed): number {
  if (isWhole(listed)) {
    const { within, ends } = namesWithin(listed.range)
    return connection.get<{ n: number }>(
      `SELECT coalesce(sum(chunks), 0) AS n FROM sources WHERE index_id = ? AND ${within}`,
      indexId,
      ...ends,
    )!.n
  }
  const { where, values } = listedWhere(listed)
  return connection.get<{ n: number }>(
    `SELECT count(*) AS n FROM sources JOIN chunks ON source_id = sources.id WHERE index_id = ? AND ${where}`,
    indexId,
    ...values,
  )!.n
}

/** How many chunks of a source are listed before the first one that ends behind a position, or before the last one. */
export function placeOfPosition(
  connection: Connection,
  indexId: number,
  listed: { source: string; version?: SourceVersion | undefined },
  at: number,
): number {
  const { where, values } = listedWhere(listed)
  const { before, total } = connection.get<{ before: number; total: number }>(
    `SELECT count(*) FILTER (WHERE coalesce(text_end, 0) <= ?) AS before, count(*) AS total
     FROM sources JOIN chunks ON source_id = sources.id WHERE index_id = ? AND ${where}`,
    at,
    indexId,
    ...values,
  )!
  return Math.max(0, Math.min(before, total - 1))
}

/** How many chunks of a source are listed before the one with an id; undefined where it is not among them. */
export async function placeOfChunk(
  connection: Connection,
  indexId: number,
  listed: { source: string; version?: SourceVersion | undefined },
  id: string,
): Promise<number | undefined> {
  const { source } = listed
  const { where, values } = listedWhere(listed)
  const from = `FROM sources JOIN chunks ON source_id = sources.id WHERE index_id = ? AND ${where}`
  for (let after = 0; ; ) {
    const rows = connection.all<Row & { id: number; hash: string; metadataHash: string; position: number }>(
      `SELECT chunks.id, chunks.hash, metadata_hash AS metadataHash, ${POSITION} AS position ${from}
       AND chunks.id > ? ORDER BY chunks.id LIMIT ?`,
      indexId,
      ...values,
      after,
      STEP,
    )
    const found = rows.find((row) => chunkIdOf({ source, ...row }) === id)
    if (found)
      return connection.get<{ n: number }>(
        `SELECT count(*) AS n ${from} AND (${POSITION}, chunks.id) < (?, ?)`,
        indexId,
        ...values,
        found.position,
        found.id,
      )!.n
    if (rows.length < STEP) return undefined
    after = rows.at(-1)!.id
    await setImmediate()
  }
}
