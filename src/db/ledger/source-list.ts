import type { SourceRange } from '../../contract/conversation.ts'
import type { SourceOrder, SourcePage, SourceRow } from '../../contract/source-page.ts'
import { droppedCountsOf, type WithDroppedText } from '../rows/dropped.ts'
import type { SqlSession } from '../sql/session.ts'
import { allOf } from '../sql/statements.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'
import { namesWithin } from './visible.ts'

/** Which sources are listed: of a conversation, or of none; those that readers see, or removed ones. */
export type ListedSources = Pick<SourcePage, 'search' | 'removedAt'> & { range?: SourceRange | undefined }

const ORDERS: Readonly<Record<SourceOrder, string>> = {
  name: 'name',
  updated: 'updated_at',
  chunks: 'chunks',
  size: 'coalesce(bytes, characters, 0)',
}

const listedWhere = ({ dialect }: SqlSession, { search, removedAt, range }: ListedSources) =>
  allOf(
    namesWithin(range),
    removedAt === undefined
      ? { sql: 'chunks > 0', values: [] }
      : { sql: 'removed_run IS NOT NULL AND removed_until > ?', values: [removedAt] },
    search === undefined ? undefined : dialect.contains('name', search),
  )

/** The chunks of a removed source that can be restored. */
const restorable = (sql: SqlSession, indexId: number): string =>
  `(SELECT count(*) FROM ${rowsWhereIndexIs(sql, 'chunks', indexId)} WHERE source_id = sources.id AND died = removed_run)`

/** A page of sources. */
export async function listSources(
  sql: SqlSession,
  indexId: number,
  { offset, limit, order = 'name', descending = false, ...listed }: SourcePage & ListedSources,
): Promise<SourceRow[]> {
  const { where, values } = listedWhere(sql, listed)
  const removed = listed.removedAt !== undefined
  const rows = await sql.all<WithDroppedText<SourceRow>>(
    `SELECT name AS source, ${removed ? restorable(sql, indexId) : 'chunks'} AS chunks, outdated, updated_at AS "updatedAt", bytes, characters, job,
       original_type AS "originalType", settings, dropped ${removed ? ', removed_until AS "restorableUntil"' : ''}
     FROM sources WHERE index_id = ? AND ${where}
     ORDER BY ${ORDERS[order]} ${descending ? 'DESC' : 'ASC'}, name LIMIT ? OFFSET ?`,
    indexId,
    ...values,
    limit,
    offset,
  )
  return rows.map((row): SourceRow => ({ ...row, dropped: droppedCountsOf(row.dropped) }))
}

export async function countSources(sql: SqlSession, indexId: number, listed: ListedSources): Promise<number> {
  const { where, values } = listedWhere(sql, listed)
  const row = await sql.get<{ n: number }>(
    `SELECT count(*) AS n FROM sources WHERE index_id = ? AND ${where}`,
    indexId,
    ...values,
  )
  return row!.n
}

/** The names of all sources with visible chunks that belong to no conversation. */
export async function namesOfSources(sql: SqlSession, indexId: number): Promise<string[]> {
  const { where, values } = listedWhere(sql, {})
  const rows = await sql.all<{ name: string }>(
    `SELECT name FROM sources WHERE index_id = ? AND ${where} ORDER BY name`,
    indexId,
    ...values,
  )
  return rows.map(({ name }) => name)
}

/** How many sources some indexes have that belong to no conversation, by the id of the index. */
export async function countsOfSources(
  sql: SqlSession,
  indexIds: readonly number[],
): Promise<Map<number, number>> {
  const { where, values } = listedWhere(sql, {})
  const rows = await sql.all<{ id: number; n: number }>(
    `SELECT index_id AS id, count(*) AS n FROM sources WHERE index_id IN (?) AND ${where} GROUP BY index_id`,
    indexIds,
    ...values,
  )
  return new Map(rows.map(({ id, n }) => [id, n]))
}
