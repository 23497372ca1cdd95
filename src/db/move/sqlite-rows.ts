import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { CopyType, CopyValue } from '../postgres/copy-rows.ts'
import { checksum } from '../checksum.ts'
import type { Connection } from '../sqlite/connection.ts'
import { passageHashes } from '../sqlite/passage-hashes.ts'
import { textIndex } from '../sqlite/text-index.ts'
import type { MovedRow, RowSource } from './moved-rows.ts'
import { type MovedTable, selected, typesOf } from './moved-tables.ts'

/** A batch of rows ends after so many bytes of texts and bytes, whatever the table allows. */
const BATCH_BYTES = 8 * 2 ** 20

/** Reads the tables of an SQLite database. */
export function sqliteRows(connection: Connection): RowSource {
  return {
    async read(table, after) {
      const { name, key, where = 'true', batch } = table
      const types = typesOf(table).map(([, type]) => type)
      const place = key.map(() => '?').join(', ')
      const follows = after ? `(${key.join(', ')}) > (${place})` : 'true'
      const sql = `SELECT ${selected(table, 'sqlite').join(', ')} FROM ${name} WHERE ${where} AND ${follows}
        ORDER BY ${key.join(', ')} LIMIT ${batch}`
      const rows: MovedRow[] = []
      let bytes = 0
      for (const row of connection.prepare(sql).iterate(...(after ?? []))) {
        const values = Object.values(row).map((value, at) => fromSqlite(types[at]!, value))
        rows.push(values)
        bytes += values.reduce<number>((sum, value) => sum + sizeOf(value), 0)
        if (bytes >= BATCH_BYTES) break
      }
      return rows
    },

    count: async ({ name, where = 'true' }) =>
      connection.get<{ n: number }>(`SELECT count(*) AS n FROM ${name} WHERE ${where}`)!.n,
  }
}

const sizeOf = (value: CopyValue): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 0

/** PostgreSQL has booleans and lists, and no text with U+0000. */
function fromSqlite(type: CopyType, value: SQLOutputValue): CopyValue {
  if (value === null) return null
  if (type === 'boolean') return value !== 0
  if (type === 'text[]') return JSON.parse(value as string) as string[]
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\ufffd')
    : (value as CopyValue)
}

const toSqlite = (value: CopyValue): SQLInputValue =>
  typeof value === 'boolean'
    ? Number(value)
    : Array.isArray(value)
      ? JSON.stringify(value)
      : (value as SQLInputValue)

/** The columns that have a checksum in SQLite. */
const SUMMED: Readonly<Record<string, readonly string[]>> = {
  flows: ['flow_data', 'config'],
  flow_revisions: ['flow_data', 'config'],
  flow_drafts: ['flow_data'],
  chat_messages: ['content'],
  chat_files: ['content'],
  vectors: ['vector'],
}

/**
 * Writes rows into an SQLite database, within a transaction, with what SQLite alone has: checksums, the hashes and the terms of
 * passages.
 */
export function insertRows(connection: Connection, table: MovedTable, rows: readonly MovedRow[]): void {
  const columns = typesOf(table).map(([name]) => name)
  const held = heldColumns(connection, table.name)
  const at = columns.flatMap((name, place) => (held.has(name) ? [place] : []))
  const summed = SUMMED[table.name]?.map((name) => columns.indexOf(name))
  const names = at.map((place) => columns[place]!)
  if (summed) names.push('checksum')
  // Found when all chunks are there, see `settleRuns`.
  if (table.name === 'runs') names.push('first_chunk')
  const insert = connection.prepare(
    `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  )
  for (const row of rows) {
    const values = at.map((place) => toSqlite(row[place]!))
    if (summed) {
      const [first, ...more] = summed.map((place) => row[place] as string | Uint8Array)
      values.push(checksum(first!, ...more))
    }
    if (table.name === 'runs') values.push(1)
    insert.run(...values)
  }
  if (table.name === 'passages') indexPassages(connection, rows)
}

const heldColumns = (connection: Connection, table: string): Set<string> =>
  new Set(
    connection.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name),
  )

/** Makes passages findable by the hash and by the words of their text. */
function indexPassages(connection: Connection, rows: readonly MovedRow[]): void {
  const byIndex = new Map<number, { id: number; hash: string; content: string }[]>()
  for (const row of rows) {
    const [id, indexId, hash, content] = row as [number, number, string, string]
    if (!byIndex.has(indexId)) byIndex.set(indexId, [])
    byIndex.get(indexId)!.push({ id, hash, content })
  }
  for (const [indexId, passages] of byIndex) {
    const hashes = passageHashes(connection, indexId)
    const words = textIndex.writer(connection, indexId)
    for (const { id, hash, content } of passages) {
      hashes.add(hash, id)
      words.add(id, content)
    }
    words.end()
    hashes.tend(passages[0]!.id, passages.at(-1)!.id + 1)
    textIndex.mergeSmall(connection, indexId)
  }
}

/** Stores the first chunk of each run, from which its chunks are searched. */
export function settleRuns(connection: Connection): void {
  connection.run(
    `UPDATE runs SET first_chunk = first FROM (SELECT born, min(id) AS first FROM chunks GROUP BY born) WHERE born = seq`,
  )
}
