import type { Metadata } from '../../contract/document.ts'
import { metadataValueAt } from '../../vector/matches.ts'
import { VISIBLE } from '../ledger/visible.ts'
import type { Connection } from './connection.ts'
import type { ChunkSpan } from './index-changes.ts'

/** What some paths of the metadata of a chunk hold: a JSON text each, null for an absent value. */
export type ChunkValues = { chunk: number; passageId: number; texts: (string | null)[] }

/** The chunks between two ids that were visible after a run and still are, in order. */
export function valuesBetween(
  connection: Connection,
  { indexId, run, paths }: { indexId: number; run: number; paths: Paths },
  { after, upTo }: ChunkSpan,
): ChunkValues[] {
  return readValues(connection, paths, (columns, ...values) => [
    `SELECT chunks.id, passage_id, ${columns} FROM chunks CROSS JOIN sources ON sources.id = source_id
     WHERE chunks.id > ? AND chunks.id <= ? AND index_id = ? AND born <= ? AND ${VISIBLE} ORDER BY chunks.id`,
    ...values,
    ...[after, upTo, indexId, run],
  ])
}

/** The next chunks that a run staged, in order of their ids. */
export function broughtValues(
  connection: Connection,
  { run, paths }: { run: number; paths: Paths },
  after: number,
  limit: number,
): ChunkValues[] {
  return readValues(connection, paths, (columns, ...values) => [
    `SELECT id, passage_id, ${columns} FROM chunks WHERE id > ? AND born = ? AND died IS NULL ORDER BY id LIMIT ?`,
    ...values,
    ...[after, run, limit],
  ])
}

type Paths = readonly (readonly string[])[]

type Query = (columns: string, ...values: string[]) => [sql: string, ...values: (string | number)[]]

/**
 * SQLite takes the values out of the metadata, in half the time that parsing them here takes. It refuses metadata that are
 * nested deeper than 1,000, and its paths cannot name every key: then they are parsed here.
 */
function readValues(connection: Connection, paths: Paths, query: Query): ChunkValues[] {
  if (paths.every((path) => path.every((key) => SIMPLE_KEY.test(key)))) {
    // The key that contains the dots comes first, as in `metadataValueAt`. Paths are values, so that few texts of SQL exist.
    const columns = paths.map(() => 'coalesce(metadata -> ?, metadata -> ?)')
    const values = paths.flatMap((path) => [jsonPath([path.join('.')]), jsonPath(path)])
    try {
      return rowsOf(connection, query(columns.join(', '), ...values))
    } catch {
      // Damaged metadata is an error below, too.
    }
  }
  return rowsOf(connection, query('metadata')).map(({ texts: [text], ...chunk }) => {
    const metadata = JSON.parse(text!) as Metadata
    const valueAt = (path: readonly string[]) => {
      const value = metadataValueAt(metadata, path)
      return value === undefined ? null : JSON.stringify(value)
    }
    return { ...chunk, texts: paths.map(valueAt) }
  })
}

const rowsOf = (connection: Connection, [sql, ...values]: ReturnType<Query>): ChunkValues[] =>
  connection.lists(sql, ...values).map(([chunk, passageId, ...texts]) => ({
    chunk: chunk as number,
    passageId: passageId as number,
    texts: texts as (string | null)[],
  }))

/** Keys that a path of SQLite names as they are. */
const SIMPLE_KEY = /^[\w .-]+$/

const jsonPath = (path: readonly string[]): string => `$.${path.map((key) => `"${key}"`).join('.')}`
