import { createHash } from 'node:crypto'
import type { CopyValue } from '../postgres/copy-rows.ts'
import type { MovedTable } from './moved-tables.ts'

/** The values of a row in the order of the columns of its table, as PostgreSQL has them. */
export type MovedRow = readonly CopyValue[]

/** The values of the key of a row. */
export type MovedKey = readonly (string | number)[]

/** A place to read rows from: either database. */
export type RowSource = {
  /** The rows that follow a key, in the order of the key of the table; the first rows without one. Empty after the last row. */
  read(table: MovedTable, after: MovedKey | undefined): Promise<MovedRow[]>
  count(table: MovedTable): Promise<number>
}

/** The key of a row. */
export function keyOf({ key, columns }: MovedTable, row: MovedRow): MovedKey {
  const names = Object.keys(columns)
  return key.map((name) => row[names.indexOf(name)] as string | number)
}

/** All rows of a table, a batch at a time. */
export async function* rowBatches(source: RowSource, table: MovedTable): AsyncGenerator<MovedRow[]> {
  for (let after: MovedKey | undefined; ; ) {
    const rows = await source.read(table, after)
    if (rows.length === 0) return
    yield rows
    after = keyOf(table, rows.at(-1)!)
  }
}

/** How many rows a table has, and the SHA-256 of them all. */
export type Contents = { rows: number; hash: string }

/** Reads all rows of a table, and calculates their hash: it is the same for the same rows in both databases. */
export async function hashRows(
  source: RowSource,
  table: MovedTable,
  note: (rows: number) => void = () => {},
): Promise<Contents> {
  const digest = createHash('sha256')
  let rows = 0
  for await (const batch of rowBatches(source, table)) {
    for (const row of batch) {
      digest.update(
        JSON.stringify(row.map((value) => (value instanceof Uint8Array ? [value.length] : value))),
      )
      for (const value of row) if (value instanceof Uint8Array) digest.update(value)
    }
    rows += batch.length
    note(batch.length)
  }
  return { rows, hash: digest.digest('hex') }
}
