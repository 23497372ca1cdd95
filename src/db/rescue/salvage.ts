import type { StatementSync } from 'node:sqlite'
import type { Connection, Row } from '../sqlite/connection.ts'
import { ifReadable } from './if-readable.ts'

/** A table to read. Rows of a table without rowid are in the order of its `key`. */
export type ReadTable = { name: string; columns: readonly string[]; key: 'rowid' | 'id' }

/** How many numbers between two readable rows are looked for one by one, and how many of them may be on damaged pages. */
const [MOST, MOST_FAILED] = [1_000_000, 20_000]

/**
 * Calls `take` with each row that can be read; damaged pages are left out. A table is read from both ends up to the damage. What
 * lies between is looked for number by number, where the keys are numbers.
 *
 * @returns whether all of the table could be read
 */
export function salvageRows(connection: Connection, table: ReadTable, take: (row: Row) => void): boolean {
  const { name, columns, key } = table
  const select = `SELECT ${key} AS place, ${columns.join(', ')} FROM ${name}`
  let first: string | number | undefined
  let last: string | number | undefined
  const upwards = readRows(connection, `${select} ORDER BY ${key}`, (row) => {
    first = keyOf(row)
    take(row)
  })
  if (upwards) return true
  // Not by a condition on the key: for a table that was small once SQLite would read all of it, from its first row.
  readRows(connection, `${select} ORDER BY ${key} DESC`, (row) => {
    if (first !== undefined && keyOf(row) <= first) return false
    last = keyOf(row)
    take(row)
    return true
  })
  if (key === 'rowid')
    readOneByOne(connection, `${select} WHERE rowid = ?`, {
      after: Number(first ?? 0),
      before: Number(last ?? Infinity),
      take,
    })
  return false
}

const keyOf = ({ place }: Row) => place as string | number

/**
 * Calls `take` with rows up to the first that cannot be read, or until it answers false.
 *
 * @returns whether all could be read
 */
function readRows(connection: Connection, sql: string, take: (row: Row) => unknown): boolean {
  const rows = ifReadable(() => connection.prepareAnew(sql).iterate())
  if (!rows) return false
  for (;;) {
    const next = ifReadable(() => rows.next())
    if (!next) return false
    if (next.done) return true
    if (take(next.value as Row) === false) return true
  }
}

function readOneByOne(
  connection: Connection,
  sql: string,
  { after, before, take }: { after: number; before: number; take: (row: Row) => void },
): void {
  let statement: StatementSync | undefined
  let failed = 0
  const end = Math.min(before, after + MOST)
  for (let place = after + 1; place < end && failed < MOST_FAILED; place++) {
    const looked = ifReadable(() => {
      statement ??= connection.prepareAnew(sql)
      return { row: statement.get(place) as Row | undefined }
    })
    if (looked?.row) take(looked.row)
    if (looked) continue
    statement = undefined
    failed++
  }
}
