import type { SourceRange } from '../../contract/conversation.ts'
import type { NamespaceContents } from '../../contract/ledger.ts'
import type { SourceOrder, SourcePage, SourceRow } from '../../contract/source-page.ts'
import { likePattern } from '../like-pattern.ts'
import { droppedCountsOf, type WithDroppedText } from '../rows/dropped.ts'
import { namesWithin } from './chunks.ts'
import type { SqlSession } from './session.ts'

/** Which sources are listed: of a conversation, or of none; those that readers see, or removed ones. */
export type ListedSources = Pick<SourcePage, 'search' | 'removedAt'> & { range?: SourceRange | undefined }

const ORDERS: Readonly<Record<SourceOrder, string>> = {
  name: 'name',
  updated: 'updated_at',
  chunks: 'chunks',
  size: 'coalesce(bytes, characters, 0)',
}

/** The condition of what is listed; the number of its first value is 2, after the index. */
function listedWhere({ search, removedAt, range }: ListedSources): {
  where: string
  values: (string | number)[]
} {
  const { within, ends } = namesWithin(range, 2)
  const values: (string | number)[] = [...ends]
  const conditions = [within]
  if (removedAt === undefined) conditions.push('chunks > 0')
  else conditions.push(`removed_run IS NOT NULL AND removed_until > $${values.push(removedAt) + 1}`)
  if (search !== undefined) conditions.push(`name ILIKE $${values.push(likePattern(search)) + 1}`)
  return { where: conditions.join(' AND '), values }
}

/** The chunks of a removed source that can be restored. */
const RESTORABLE = '(SELECT count(*) FROM chunks WHERE source_id = sources.id AND died = removed_run)'

/** A page of sources. */
export async function listSources(
  sql: SqlSession,
  indexId: number,
  { offset, limit, order = 'name', descending = false, ...listed }: SourcePage & ListedSources,
): Promise<SourceRow[]> {
  const { where, values } = listedWhere(listed)
  const removed = listed.removedAt !== undefined
  const next = values.length + 2
  const rows = await sql.all<WithDroppedText<SourceRow>>(
    `SELECT name AS source, ${removed ? RESTORABLE : 'chunks'} AS chunks, outdated, updated_at AS "updatedAt", bytes, characters, job,
       original_type AS "originalType", settings, dropped ${removed ? ', removed_until AS "restorableUntil"' : ''}
     FROM sources WHERE index_id = $1 AND ${where}
     ORDER BY ${ORDERS[order]} ${descending ? 'DESC' : 'ASC'}, name LIMIT $${next} OFFSET $${next + 1}`,
    indexId,
    ...values,
    limit,
    offset,
  )
  return rows.map((row): SourceRow => ({ ...row, dropped: droppedCountsOf(row.dropped) }))
}

export async function countSources(sql: SqlSession, indexId: number, listed: ListedSources): Promise<number> {
  const { where, values } = listedWhere(listed)
  const row = await sql.get<{ n: number }>(
    `SELECT count(*) AS n FROM sources WHERE index_id = $1 AND ${where}`,
    indexId,
    ...values,
  )
  return row!.n
}

/** The names of all sources with visible chunks that belong to no conversation. */
export async function namesOfSources(sql: SqlSession, indexId: number): Promise<string[]> {
  const { where, values } = listedWhere({})
  const rows = await sql.all<{ name: string }>(
    `SELECT name FROM sources WHERE index_id = $1 AND ${where} ORDER BY name`,
    indexId,
    ...values,
  )
  return rows.map(({ name }) => name)
}

/** What readers see in each namespace that is not empty; the sources of conversations are not counted. */
export async function contentsOf(sql: SqlSession): Promise<Map<string, NamespaceContents>> {
  const { where, values } = listedWhere({})
  const rows = await sql.all<{ namespace: string; chunks: number; sources: number }>(
    `SELECT namespace, indexes.chunks, coalesce(counted.sources, 0) AS sources FROM indexes
     LEFT JOIN (SELECT index_id, count(*) AS sources FROM sources WHERE ${where} AND $1 = 0 GROUP BY index_id) AS counted
       ON counted.index_id = indexes.id
     WHERE state = 'live' AND indexes.chunks > 0`,
    0,
    ...values,
  )
  return new Map(rows.map(({ namespace, chunks, sources }) => [namespace, { chunks, sources }]))
}
