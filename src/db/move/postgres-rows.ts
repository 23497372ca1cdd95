import { CopyRows, type CopyValue } from '../postgres/copy-rows.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import type { SqlTransaction } from '../postgres/session.ts'
import type { MovedRow, RowSource } from './moved-rows.ts'
import { type MovedTable, MOVED_TABLES, selected, typesOf } from './moved-tables.ts'

/** How long a statement of a move may take, in milliseconds. */
export const MOVE_STATEMENT_MS = 10 * 60_000

/** Reads the tables of a PostgreSQL database. */
export function postgresRows(database: PostgresDatabase): RowSource {
  const options = { limitMs: MOVE_STATEMENT_MS, repeatable: true }
  return {
    read(table, after) {
      const { name, key, where = 'true', batch } = table
      const keys = orderedKey(table).join(', ')
      const place = key.map((_, at) => `$${at + 1}`).join(', ')
      const follows = after ? `(${keys}) > (${place})` : 'true'
      const sql = `SELECT ${selected(table, 'postgres').join(', ')} FROM ${name} WHERE ${where} AND ${follows}
        ORDER BY ${keys} LIMIT ${batch}`
      return database.transaction(async (session) => {
        const rows = await session.all(sql, ...(after ?? []))
        return rows.map((row) => Object.values(row) as CopyValue[])
      }, options)
    },

    count: ({ name, where = 'true' }) =>
      database.transaction(async (session) => {
        const row = await session.get<{ n: number }>(`SELECT count(*) AS n FROM ${name} WHERE ${where}`)
        return row!.n
      }, options),
  }
}

/** The columns of the key, with texts in the order of their bytes, as in SQLite. */
function orderedKey(table: MovedTable): string[] {
  const types = new Map(typesOf(table))
  return table.key.map((name) => (types.get(name) === 'text' ? `${name} COLLATE "C"` : name))
}

/** Adds rows to a table of PostgreSQL with COPY. */
export async function copyMoved(
  transaction: SqlTransaction,
  table: MovedTable,
  rows: readonly MovedRow[],
): Promise<void> {
  const types = typesOf(table)
  const copy = new CopyRows(types.map(([, type]) => type))
  for (const row of rows) copy.add(...row)
  await transaction.copyIn(`${table.name} (${types.map(([name]) => name).join(', ')})`, copy)
}

/** The columns with numbers that PostgreSQL gives by itself. */
const COUNTED = [
  'audit.id',
  'jobs.seq',
  'chat_messages.seq',
  'executions.seq',
  'indexes.id',
  'runs.seq',
  'sources.id',
  'chunks.id',
]

/** Part of the schema, see `stage.ts`. */
const PASSAGES_A_BLOCK = 1024

/** Lets new rows have numbers that no moved row has. No replica has followed the runs that were moved. */
export async function settleNumbers(transaction: SqlTransaction): Promise<void> {
  for (const column of COUNTED) {
    const [table, name] = column.split('.') as [string, string]
    await transaction.run(
      `SELECT setval(pg_get_serial_sequence('${table}', '${name}'), greatest(coalesce(max(${name}), 0), 1), max(${name}) IS NOT NULL)
       FROM ${table}`,
    )
  }
  await transaction.run(
    `SELECT setval('passage_blocks', coalesce(max(id), 0) / ${PASSAGES_A_BLOCK} + 1, false) FROM passages`,
  )
  await transaction.run(
    `UPDATE indexes SET followed_from = coalesce(
       (SELECT max(seq) FROM runs WHERE index_id = indexes.id AND state = 'published'), 0)`,
  )
}

/** Deletes the rows of all tables that are moved. */
export const emptyTables = (transaction: SqlTransaction): Promise<number> =>
  transaction.run(`TRUNCATE ${MOVED_TABLES.map(({ name }) => name).join(', ')} CASCADE`)

/** The first table that has rows. */
export async function usedTable(transaction: SqlTransaction): Promise<string | undefined> {
  for (const { name, where = 'true' } of MOVED_TABLES)
    if (await transaction.get(`SELECT 1 FROM ${name} WHERE ${where} LIMIT 1`)) return name
  return undefined
}
