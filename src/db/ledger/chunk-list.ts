import type { SourceRange } from '../../contract/conversation.ts'
import type { SourceVersion } from '../../contract/source-version.ts'
import type { SqlCondition } from '../sql/dialect.ts'
import type { SqlSession } from '../sql/session.ts'
import { allOf } from '../sql/statements.ts'
import type { RangeRow } from '../text-range.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'
import { isOfVersion } from './source-version.ts'
import { namesWithin, VISIBLE } from './visible.ts'

/** Which chunks are listed: of one version of a source or of all its versions, or of all sources of a range or those with some settings. */
export type Listed =
  | { source: string; version?: SourceVersion | undefined }
  | { source?: undefined; range?: SourceRange | undefined; settings?: readonly string[] | undefined }

export type ListedRow = RangeRow & {
  hash: string
  content: string
  source: string
  metadata: string
  metadataHash: string
  outdatedAt: number | null
}

/** A chunk without a range stands before all others. */
export const POSITION = 'coalesce(text_start, -1)'

/** The visible chunks of a version of a source, or of all its versions. */
export function listedOf({ source, version }: Listed & { source: string }) {
  return allOf(['name = ?', source], version === undefined ? undefined : isOfVersion(version), {
    sql: VISIBLE,
    values: [],
  })
}

/**
 * The sources of a range with the chunks of a page, found by the counts of the sources: no chunk before the page is read.
 * `offset`: that of the page within these sources.
 */
async function sourcesOfPage(
  sql: SqlSession,
  indexId: number,
  { offset, limit, ...listed }: Listed & { source?: undefined; offset: number; limit: number },
): Promise<{ ids: number[]; offset: number }> {
  const within = sourcesWithin(listed)
  const found = await sql.all<{ id: number; before: number }>(
    `SELECT id, before FROM (
       SELECT id, name, chunks, CAST(sum(chunks) OVER (ORDER BY name ROWS UNBOUNDED PRECEDING) AS bigint) - chunks AS before
       FROM sources WHERE index_id = ? AND ${within.where} AND chunks > 0) AS counted
     WHERE before + chunks > ? AND before < ? ORDER BY name`,
    indexId,
    ...within.values,
    offset,
    offset + limit,
  )
  return { ids: found.map(({ id }) => id), offset: offset - (found[0]?.before ?? offset) }
}

/** A page of visible chunks, source by source by name, each by the position in its text. */
export async function listChunks(
  sql: SqlSession,
  indexId: number,
  { offset, limit, ...listed }: Listed & { offset: number; limit: number },
): Promise<ListedRow[]> {
  if (listed.source !== undefined) {
    const { where, values } = listedOf(listed)
    return readPage(
      sql,
      indexId,
      { sql: `sources.index_id = ? AND ${where}`, values: [indexId, ...values] },
      { offset, limit },
    )
  }
  const page = await sourcesOfPage(sql, indexId, { ...listed, offset, limit })
  if (page.ids.length === 0) return []
  return readPage(
    sql,
    indexId,
    { sql: `sources.id IN (?) AND ${VISIBLE}`, values: [page.ids] },
    { offset: page.offset, limit },
  )
}

/** Some chunks of an index in the order of a list; those that readers do not see any more are left out. */
export const listedChunks = (
  sql: SqlSession,
  indexId: number,
  ids: readonly number[],
): Promise<ListedRow[]> =>
  readPage(
    sql,
    indexId,
    { sql: `chunks.id IN (?) AND ${VISIBLE}`, values: [ids] },
    { offset: 0, limit: ids.length },
  )

function readPage(
  sql: SqlSession,
  indexId: number,
  which: Pick<SqlCondition, 'sql'> & { values: Parameters<SqlSession['all']>[1][] },
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedRow[]> {
  const chunks = rowsWhereIndexIs(sql, 'chunks', indexId)
  // Texts are read after the page is known: sorting them would copy all of them.
  return sql.all<ListedRow>(
    `SELECT chunks.hash, content, page.name AS source, metadata, metadata_hash AS "metadataHash",
       text_start AS "start", text_end AS "end", outdated_at AS "outdatedAt"
     FROM (SELECT chunks.id, name FROM sources JOIN ${chunks} ON source_id = sources.id
           WHERE ${which.sql} ORDER BY name, ${POSITION}, chunks.id LIMIT ? OFFSET ?) AS page
     JOIN ${chunks} ON chunks.id = page.id JOIN ${rowsWhereIndexIs(sql, 'passages', indexId)} ON passages.id = passage_id
     ORDER BY page.name, ${POSITION}, chunks.id`,
    ...which.values,
    limit,
    offset,
  )
}

/** The sources of a range, or those of them with some settings. */
const sourcesWithin = ({ range, settings }: Listed & { source?: undefined }) =>
  allOf(
    namesWithin(range),
    settings && {
      sql: `(${settings.map(() => 'settings = ?').join(' OR ') || '1 = 0'})`,
      values: [...settings],
    },
  )

/** How many visible chunks there are of these. Each publication counts those of its sources, and what they have of earlier versions. */
export async function countListed(sql: SqlSession, indexId: number, listed: Listed): Promise<number> {
  if (listed.source !== undefined && typeof listed.version === 'number') {
    const { where, values } = listedOf(listed)
    const row = await sql.get<{ n: number }>(
      `SELECT count(*) AS n FROM sources JOIN ${rowsWhereIndexIs(sql, 'chunks', indexId)} ON source_id = sources.id
       WHERE sources.index_id = ? AND ${where}`,
      indexId,
      ...values,
    )
    return row!.n
  }
  const within =
    listed.source === undefined ? sourcesWithin(listed) : { where: 'name = ?', values: [listed.source] }
  const counted = listed.source !== undefined && listed.version === 'newest' ? 'chunks - outdated' : 'chunks'
  const row = await sql.get<{ n: number }>(
    `SELECT CAST(coalesce(sum(${counted}), 0) AS bigint) AS n FROM sources WHERE index_id = ? AND ${within.where}`,
    indexId,
    ...within.values,
  )
  return row!.n
}
