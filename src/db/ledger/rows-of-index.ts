import type { SqlDialect } from '../sql/dialect.ts'
import type { SqlSession } from '../sql/session.ts'

/*
 * In PostgreSQL the rows of an index are in the tables that all indexes share, and those of a large one in tables of its own too
 * (`postgres/own-tables.ts`). These conditions keep the planner from opening the tables of other indexes.
 */

/** The tables that hold the chunks of indexes. */
export type ChunkTable = 'chunks' | 'passages' | 'vectors'

const IS_IN: Readonly<Record<SqlDialect['name'], (indexId: number, rows: string) => string>> = {
  sqlite: () => 'true',
  postgres: (indexId, rows) => `${rows}.own IN (0, ${indexId})`,
}

/** The condition that a row is where rows of an index are; it may be of another index all the same. */
export const isWhereIndexIs = (
  { dialect }: Pick<SqlSession, 'dialect'>,
  indexId: number,
  rows: string,
): string => IS_IN[dialect.name](indexId, rows)

const ROWS: Readonly<
  Record<SqlDialect['name'], (table: ChunkTable, indexId: number, name: string) => string>
> = {
  sqlite: (table, _indexId, name) => (name === table ? table : `${table} AS ${name}`),
  postgres: (table, indexId, name) =>
    `(SELECT * FROM ${table} WHERE ${IS_IN.postgres(indexId, table)}) AS ${name}`,
}

/** A table for FROM and JOIN, without those that only other indexes have. Its rows may be of other indexes all the same. */
export const rowsWhereIndexIs = (
  { dialect }: Pick<SqlSession, 'dialect'>,
  table: ChunkTable,
  indexId: number,
  name: string = table,
): string => ROWS[dialect.name](table, indexId, name)
