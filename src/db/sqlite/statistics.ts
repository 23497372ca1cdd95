import type { Connection } from './connection.ts'

/** The statistics of a table with fewer rows are not kept. */
const FEWEST_ROWS = 20_000

/** Rows of `sqlite_stat1` begin with the number of rows of their table. */
const OF_SMALL_TABLES = `FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) < ${FEWEST_ROWS}`

/**
 * Removes what the planner of SQLite knows about small tables. It would go on for tables of one row after they have grown to many, and
 * read all chunks for each source: a page of 20,000 chunks took 20 s. Without statistics it uses the indexes.
 */
export function dropSmallStatistics(connection: Connection): void {
  const exists = connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'`)
  // Looked for first: an open must not write, also on a full disk, where there is nothing to remove.
  if (exists && connection.get(`SELECT 1 ${OF_SMALL_TABLES} LIMIT 1`))
    connection.run(`DELETE ${OF_SMALL_TABLES}`)
}
