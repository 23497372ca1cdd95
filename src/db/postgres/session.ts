import type { ClientBase } from 'pg'
import { finished } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { SQL_DIALECTS } from '../sql/dialects.ts'
import { toPostgres } from '../sql/placeholders.ts'
import type { SqlSession, SqlValue } from '../sql/session.ts'
import type { CopyRows } from './copy-rows.ts'
import { asFailure } from './failures.ts'

export type { SqlRow, SqlSession, SqlValue } from '../sql/session.ts'

/** The statements of a transaction. */
export type SqlTransaction = SqlSession & {
  /** Adds rows to a table with COPY. @param target the table, with the columns in the order of the rows */
  copyIn(target: string, rows: CopyRows): Promise<void>
  /**
   * The bytes that a query answers with one column and at most one row; undefined where there is none. COPY sends them in half of the room
   * that they take as text. @param query without values
   */
  copyOut(query: string): Promise<Uint8Array | undefined>
}

/** What answers a statement: rows, and how many were changed. */
export type Answer = { rows: object[]; rowCount: number | null }

/** A session whose statements `ask` runs, with `$1`, `$2`… for their values; statements for PostgreSQL alone have these themselves. */
export function sessionOf(ask: (sql: string, values: readonly SqlValue[]) => Promise<Answer>): SqlSession {
  return {
    dialect: SQL_DIALECTS.postgres,
    all: async <T>(sql: string, ...values: SqlValue[]) => (await ask(toPostgres(sql), values)).rows as T[],
    get: async <T>(sql: string, ...values: SqlValue[]) =>
      (await ask(toPostgres(sql), values)).rows[0] as T | undefined,
    run: async (sql, ...values) => (await ask(toPostgres(sql), values)).rowCount ?? 0,
  }
}

/**
 * Runs one statement on a connection.
 *
 * @param limitMs how long the client waits for the answer; as the connection says unless given
 * @throws ConnectionLost; what the server answers
 */
export async function askClient(
  client: ClientBase,
  sql: string,
  values: readonly SqlValue[],
  limitMs?: number,
): Promise<Answer> {
  try {
    return await client.query({
      text: sql,
      values: values.map(storable),
      ...(limitMs === undefined ? {} : { query_timeout: limitMs }),
    })
  } catch (error) {
    throw asFailure(error)
  }
}

/** Before the bytes of a column of one row: 19 bytes of the stream, how many columns there are, and the length. After them, the end. */
const BEFORE_BYTES = 25
const AFTER_BYTES = 2
const NO_ROW_BYTES = 21

/**
 * As `copyOut` of {@link SqlTransaction}.
 *
 * @param limitMs how long it may take
 * @throws ConnectionLost; what the server answers
 */
export async function copyBytes(
  client: ClientBase,
  query: string,
  limitMs: number,
): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = []
  try {
    const stream = client.query(copyTo(`COPY (${query}) TO STDOUT (FORMAT binary)`))
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    await finished(stream, { signal: AbortSignal.timeout(limitMs) })
  } catch (error) {
    throw asFailure(error)
  }
  const all = Buffer.concat(chunks)
  return all.length <= NO_ROW_BYTES ? undefined : all.subarray(BEFORE_BYTES, all.length - AFTER_BYTES)
}

/** Runs one COPY on a connection. @throws ConnectionLost; what the server answers */
export async function copyRows(client: ClientBase, target: string, rows: CopyRows): Promise<void> {
  try {
    const stream = client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT binary)`))
    stream.end(rows.end())
    await finished(stream)
  } catch (error) {
    throw asFailure(error)
  }
}

/** PostgreSQL stores no text with the character U+0000: it becomes U+FFFD, as for every character that cannot be stored. */
function storable(value: SqlValue): SqlValue {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  return Array.isArray(value) ? value.map(storable) : value
}
