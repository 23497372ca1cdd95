import type { SourceRange } from '../../contract/conversation.ts'
import { chunkIdOf } from '../../documents/chunk-id.ts'
import type { SourceVersion } from '../../contract/source-version.ts'
import { likePattern } from '../like-pattern.ts'
import type { RangeRow } from '../text-range.ts'
import { namesWithin, VISIBLE } from './chunks.ts'
import { markOf } from './outdated.ts'
import type { SqlSession, SqlValue } from './session.ts'

/** Which chunks are listed: of one source, or of all sources of a range; with a search, those whose text contains it. */
export type Listed = {
  source?: string | undefined
  range?: SourceRange | undefined
  version?: SourceVersion | undefined
  search?: string | undefined
}

export type ListedRow = RangeRow & {
  hash: string
  content: string
  source: string
  metadata: string
  metadataHash: string
  outdatedAt: number | null
}

/** How many chunks one step of a search for an id reads. */
const STEP = 2000

/** A chunk without a range stands before all others. */
const POSITION = 'coalesce(text_start, -1)'

/** The condition of what is listed; the number of its first value is 2, after the index. */
function listedWhere({ source, range, version, search }: Listed): { where: string; values: SqlValue[] } {
  const { within, ends } =
    source === undefined ? namesWithin(range, 2) : { within: 'name = $2', ends: [source] }
  const conditions = [within, VISIBLE]
  const values: SqlValue[] = [...ends]
  const next = (value: SqlValue) => `$${values.push(value) + 1}`
  if (version !== undefined)
    conditions.push(`outdated_at IS NOT DISTINCT FROM ${next(markOf(version))}::bigint`)
  if (search !== undefined)
    conditions.push(
      `EXISTS (SELECT 1 FROM passages WHERE id = passage_id AND content ILIKE ${next(likePattern(search))})`,
    )
  return { where: conditions.join(' AND '), values }
}

/** A page of visible chunks, source by source by name, each by the position in its text. */
export function listChunks(
  sql: SqlSession,
  indexId: number,
  { offset, limit, ...listed }: Listed & { offset: number; limit: number },
): Promise<ListedRow[]> {
  const { where, values } = listedWhere(listed)
  const next = values.length + 2
  // Texts are read after the page is known: sorting them would copy all of them.
  return sql.all<ListedRow>(
    `SELECT chunks.hash, content, page.name AS source, metadata, metadata_hash AS "metadataHash",
       text_start AS start, text_end AS "end", outdated_at AS "outdatedAt"
     FROM (SELECT chunks.id, name FROM sources JOIN chunks ON source_id = sources.id
           WHERE sources.index_id = $1 AND ${where} ORDER BY name, ${POSITION}, chunks.id
           LIMIT $${next} OFFSET $${next + 1}) AS page
     JOIN chunks ON chunks.id = page.id JOIN passages ON passages.id = passage_id
     ORDER BY page.name, ${POSITION}, chunks.id`,
    indexId,
    ...values,
    limit,
    offset,
  )
}

/** How many visible chunks there are of these. */
export async function countListed(sql: SqlSession, indexId: number, listed: Listed): Promise<number> {
  const { where, values } = listedWhere(listed)
  const row = await sql.get<{ n: number }>(
    `SELECT count(*) AS n FROM sources JOIN chunks ON source_id = sources.id WHERE sources.index_id = $1 AND ${where}`,
    indexId,
    ...values,
  )
  return row!.n
}

/** How many chunks of a source are listed before the first one that ends behind a position, or before the last one. */
export async function placeOfPosition(
  sql: SqlSession,
  indexId: number,
  listed: { source: string; version?: SourceVersion | undefined },
  at: number,
): Promise<number> {
  const { where, values } = listedWhere(listed)
  const found = await sql.get<{ before: number; total: number }>(
    `SELECT count(*) FILTER (WHERE coalesce(text_end, 0) <= $${values.length + 2}) AS before, count(*) AS total
     FROM sources JOIN chunks ON source_id = sources.id WHERE sources.index_id = $1 AND ${where}`,
    indexId,
    ...values,
    at,
  )
  return Math.max(0, Math.min(found!.before, found!.total - 1))
}

/** How many chunks of a source are listed before the one with an id; undefined where it is not among them. */
export async function placeOfChunk(
  sql: SqlSession,
  indexId: number,
  listed: { source: string; version?: SourceVersion | undefined },
  id: string,
): Promise<number | undefined> {
  const { source } = listed
  const { where, values } = listedWhere(listed)
  const next = values.length + 2
  const from = `FROM sources JOIN chunks ON source_id = sources.id WHERE sources.index_id = $1 AND ${where}`
  for (let after = 0; ; ) {
    const rows = await sql.all<{ id: number; hash: string; metadataHash: string; position: number }>(
      `SELECT chunks.id, chunks.hash, metadata_hash AS "metadataHash", ${POSITION} AS position ${from}
       AND chunks.id > $${next} ORDER BY chunks.id LIMIT $${next + 1}`,
      indexId,
      ...values,
      after,
      STEP,
    )
    const found = rows.find((row) => chunkIdOf({ source, ...row }) === id)
    if (found) {
      const before = await sql.get<{ n: number }>(
        `SELECT count(*) AS n ${from} AND (${POSITION}, chunks.id) < ($${next}, $${next + 1})`,
        indexId,
        ...values,
        found.position,
        found.id,
      )
      return before!.n
    }
    if (rows.length < STEP) return undefined
    after = rows.at(-1)!.id
  }
}
