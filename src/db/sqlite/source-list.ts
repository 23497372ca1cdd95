import type { SourceRange } from '../../contract/conversation.ts'
import type { SourceOrder, SourcePage, SourceRow } from '../../contract/source-page.ts'
import { likePattern } from '../like-pattern.ts'
import { droppedCountsOf, type WithDroppedText } from '../rows/dropped.ts'
import { namesWithin } from './chunks.ts'
import type { Connection, Row } from './connection.ts'

/** Which sources are listed: of a conversation, or of none; those that readers see, or removed ones. */
export type ListedSources = Pick<SourcePage, 'search' | 'removedAt'> & { range?: SourceRange | undefined }

const ORDERS: Readonly<Record<SourceOrder, string>> = {
  name: 'name',
  updated: 'updated_at',
  chunks: 'chunks',
  size: 'coalesce(bytes, characters, 0)',
}

function listedWhere({ search, removedAt, range }: ListedSources): {
  where: string
  values: (string | number)[]
} {
  const { within, ends } = namesWithin(range)
  const state = removedAt === undefined ? 'chunks > 0' : 'removed_run IS NOT NULL AND removed_until > ?'
  const found = search === undefined ? '' : ` AND name LIKE ? ESCAPE '\\'`
  return {
    where: `${within} AND ${state}${found}`,
    values: [
      ...ends,
      ...(removedAt === undefined ? [] : [removedAt]),
      ...(search === undefined ? [] : [likePattern(search)]),
    ],
  }
}

/** The chunks of a removed source that can be restored. */
const RESTORABLE = '(SELECT count(*) FROM chunks WHERE source_id = sources.id AND died = removed_run)'

/** A page of sources. */
export function listSources(
  connection: Connection,
  indexId: number,
  { offset, limit, order = 'name', descending = false, ...listed }: SourcePage & ListedSources,
): SourceRow[] {
  const { where, values } = listedWhere(listed)
  const removed = listed.removedAt !== undefined
  const rows = connection.all<Row & WithDroppedText<SourceRow>>(
    `SELECT name AS source, ${removed ? RESTORABLE : 'chunks'} AS chunks, outdated, updated_at AS updatedAt, bytes, characters, job,
       original_type AS originalType, settings, dropped
       ${removed ? ', removed_until AS restorableUntil' : ''}
     FROM sources WHERE index_id = ? AND ${where}
     ORDER BY ${ORDERS[order]} ${descending ? 'DESC' : 'ASC'}, name LIMIT ? OFFSET ?`,
    indexId,
    ...values,
    limit,
    offset,
  )
  return rows.map((row): SourceRow => ({ ...row, dropped: droppedCountsOf(row.dropped) }))
}

export function countSources(connection: Connection, indexId: number, listed: ListedSources): number {
  const { where, values } = listedWhere(listed)
  return connection.get<{ n: number }>(
    `SELECT count(*) AS n FROM sources WHERE index_id = ? AND ${where}`,
    indexId,
    ...values,
  )!.n
}

/** The names of all sources with visible chunks that belong to no conversation. */
export function namesOfSources(connection: Connection, indexId: number): string[] {
  const { where, values } = listedWhere({})
  return connection
    .all<{ name: string }>(
      `SELECT name FROM sources WHERE index_id = ? AND ${where} ORDER BY name`,
      indexId,
      ...values,
    )
    .map(({ name }) => name)
}
