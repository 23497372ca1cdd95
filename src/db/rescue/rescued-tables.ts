import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { parseJson } from '../../kit/json.ts'
import { isRefusedRow } from '../../kit/storage-failure.ts'
import { checksum } from '../checksum.ts'
import type { Connection, Row } from '../sqlite/connection.ts'
import { type ReadTable, salvageRows } from './salvage.ts'

/** A table whose rows are rescued. All its columns of the schemas before the first release are in the present schema, with the same meaning. */
export type RescuedTable = {
  name: string
  /** What a row is, for messages. */
  noun: string
  key: ReadTable['key']
  /** Columns that hold JSON. */
  json: readonly string[]
  /** Columns that the column `checksum` is of. */
  summed: readonly string[]
}

const table = (
  name: string,
  noun: string,
  { key = 'id', json = [], summed = [] }: Partial<RescuedTable> = {},
): RescuedTable => ({ name, noun, key, json, summed })

const DRAWING = ['flow_data', 'config']

/** In the order of their references. */
export const RESCUED_TABLES = [
  table('flows', 'flow', { json: DRAWING, summed: DRAWING }),
  table('flow_revisions', 'revision', { key: 'rowid', json: [...DRAWING, 'changes'], summed: DRAWING }),
  table('api_keys', 'API key', { json: ['scopes', 'flows'] }),
  table('credentials', 'credential'),
  table('variables', 'variable'),
  table('chat_messages', 'chat message', { key: 'rowid', json: ['details'], summed: ['content'] }),
  table('chat_files', 'chat file', { key: 'rowid', summed: ['content'] }),
  table('chat_feedback', 'rating'),
  table('leads', 'contact'),
] as const

/** What became of the rows of a table. */
export type TableResult = {
  rows: number
  /** Sentences about what could not be read, or is not as it was stored. */
  damage: string[]
}

/** How many things a sentence names. */
const NAMED = 20

/**
 * Copies the rows of a table into a new database. A row that cannot be read, or that does not fit the schema, is left out. One whose
 * content is not that of its checksum is kept, and named.
 *
 * @param change values that replace those of a row
 */
export function rescueTable(
  { from, into }: { from: Connection; into: Connection },
  { name, noun, key, json, summed }: RescuedTable,
  change: (row: Row) => Record<string, SQLInputValue> = () => ({}),
): TableResult {
  const known = columnsOf(into, name)
  const columns = columnsOf(from, name).filter((column) => known.includes(column))
  const result: TableResult = { rows: 0, damage: [] }
  if (columns.length === 0) return result
  const written = known.includes('checksum') ? [...new Set([...columns, 'checksum'])] : columns
  const insert = into.prepare(
    `INSERT INTO ${name} (${written.join(', ')}) VALUES (${written.map(() => '?').join(', ')})`,
  )
  const changed: string[] = []
  const leftOut: string[] = []

  const isWhole = salvageRows(from, { name, columns, key }, (row) => {
    const label = String(row.name ?? row.id ?? row.place)
    const sum = sumOf(summed.map((column) => row[column]))
    if (sum !== undefined && typeof row.checksum === 'number' && row.checksum !== sum) changed.push(label)
    const values: Record<string, SQLInputValue> = { ...row, checksum: sum ?? null, ...change(row) }
    try {
      if (json.some((column) => parseJson(String(row[column])) === undefined)) leftOut.push(label)
      else {
        insert.run(...written.map((column) => values[column] ?? null))
        result.rows++
      }
    } catch (error) {
      if (!isRefusedRow(error)) throw error
      leftOut.push(label)
    }
  })
  if (!isWhole) result.damage.push(`${noun}: a part of the table ${name} cannot be read`)
  if (leftOut.length > 0) result.damage.push(`${noun}: damaged and left out: ${listed(leftOut)}`)
  if (changed.length > 0)
    result.damage.push(`${noun}: not as it was stored, look at it before you use it: ${listed(changed)}`)
  return result
}

function columnsOf(connection: Connection, name: string): string[] {
  const isTable = connection.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`, name)
  if (!isTable) return []
  return connection
    .all<{ name: string }>('SELECT name FROM pragma_table_info(?)', name)
    .map((column) => column.name)
}

/** The checksum of a row; undefined where it has none, or a value is neither text nor bytes. */
function sumOf(values: readonly (SQLOutputValue | undefined)[]): number | undefined {
  const [first, ...more] = values.filter((value) => typeof value === 'string' || value instanceof Uint8Array)
  return first === undefined || more.length + 1 < values.length ? undefined : checksum(first, ...more)
}

const listed = (names: readonly string[]): string =>
  names.length > NAMED
    ? `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`
    : names.join(', ')
