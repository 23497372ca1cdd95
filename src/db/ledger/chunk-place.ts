import { setImmediate } from 'node:timers/promises'
import { chunkIdOf } from '../../documents/chunk-id.ts'
import type { SourceVersion } from '../../contract/source-version.ts'
import type { SqlSession } from '../sql/session.ts'
import { listedOf, POSITION } from './chunk-list.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'

/** The chunks of a version of a source, or of all its versions. */
type OneSource = { source: string; version?: SourceVersion | undefined }

/** How many chunks one step of a search for an id reads: a few milliseconds. */
const STEP = 2000

const from = (sql: SqlSession, indexId: number): string =>
  `FROM sources JOIN ${rowsWhereIndexIs(sql, 'chunks', indexId)} ON source_id = sources.id WHERE sources.index_id = ? AND`

/** How many chunks of a source are listed before the first one that ends behind a position, or before the last one. */
export async function placeOfPosition(
  sql: SqlSession,
  indexId: number,
  listed: OneSource,
  at: number,
): Promise<number> {
  const { where, values } = listedOf(listed)
  const found = await sql.get<{ before: number; total: number }>(
    `SELECT count(*) FILTER (WHERE coalesce(text_end, 0) <= ?) AS before, count(*) AS total ${from(sql, indexId)} ${where}`,
    at,
    indexId,
    ...values,
  )
  return Math.max(0, Math.min(found!.before, found!.total - 1))
}

/** How many chunks of a source are listed before the one with an id; undefined where it is not among them. */
export async function placeOfChunk(
  sql: SqlSession,
  indexId: number,
  listed: OneSource,
  id: string,
): Promise<number | undefined> {
  const { where, values } = listedOf(listed)
  for (let after = 0; ; ) {
    const rows = await sql.all<{ id: number; hash: string; metadataHash: string; position: number }>(
      `SELECT chunks.id, chunks.hash, metadata_hash AS "metadataHash", ${POSITION} AS position
       ${from(sql, indexId)} ${where} AND chunks.id > ? ORDER BY chunks.id LIMIT ?`,
      indexId,
      ...values,
      after,
      STEP,
    )
    const found = rows.find((row) => chunkIdOf({ source: listed.source, ...row }) === id)
    if (found) {
      const before = await sql.get<{ n: number }>(
        `SELECT count(*) AS n ${from(sql, indexId)} ${where} AND (${POSITION}, chunks.id) < (?, ?)`,
        indexId,
        ...values,
        found.position,
        found.id,
      )
      return before!.n
    }
    if (rows.length < STEP) return undefined
    after = rows.at(-1)!.id
    await setImmediate()
  }
}
