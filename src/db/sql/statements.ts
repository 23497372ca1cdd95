import type { SqlCondition } from './dialect.ts'
import type { SqlRow, SqlSession, SqlValue } from './session.ts'

/** A row to store, by the names of its columns. */
export type NewSqlRow = Readonly<Record<string, Exclude<SqlValue, readonly SqlValue[]>>>

const insertion = (table: string, columns: readonly string[], rows: number, rest: string): string => {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')} ${rest}`.trimEnd()
}

/**
 * Inserts a row; returns how many were inserted.
 *
 * @param rest what follows the values, such as ON CONFLICT
 */
export const insertRow = (session: SqlSession, table: string, row: NewSqlRow, rest = ''): Promise<number> =>
  session.run(insertion(table, Object.keys(row), 1, rest), ...Object.values(row))

/** The same; returns the stored row, or undefined where none was. */
export const insertReturning = <T extends object = SqlRow>(
  session: SqlSession,
  table: string,
  row: NewSqlRow,
  rest = '',
): Promise<T | undefined> =>
  session.get<T>(insertion(table, Object.keys(row), 1, `${rest} RETURNING *`), ...Object.values(row))

/** Inserts rows with the same columns, in their order. Returns what `rest` asks to return. */
export async function insertEach<T extends object = SqlRow>(
  session: SqlSession,
  table: string,
  rows: readonly NewSqlRow[],
  rest = '',
): Promise<T[]> {
  const { rowsOfInsert } = session.dialect
  const returned: T[] = []
  for (let at = 0; at < rows.length; at += rowsOfInsert) {
    const some = rows.slice(at, at + rowsOfInsert)
    const sql = insertion(table, Object.keys(some[0]!), some.length, rest)
    returned.push(...(await session.all<T>(sql, ...some.flatMap((row) => Object.values(row)))))
  }
  return returned
}

/** How many rows a condition finds, or how many different values of `what` they have. */
export async function countRows(
  session: SqlSession,
  table: string,
  where: string,
  values: readonly SqlValue[] = [],
  what = '*',
): Promise<number> {
  const row = await session.get<{ n: number }>(
    `SELECT count(${what}) AS n FROM ${table} WHERE ${where}`,
    ...values,
  )
  return row!.n
}

/** Changes columns of the row with an id; returns how many rows there were. */
export const updateRow = (
  session: SqlSession,
  table: string,
  id: string,
  changes: NewSqlRow,
): Promise<number> => {
  const columns = Object.keys(changes).map((column) => `${column} = ?`)
  return session.run(`UPDATE ${table} SET ${columns.join(', ')} WHERE id = ?`, ...Object.values(changes), id)
}

/** What follows a WHERE, and the values of its `?`. */
export type SqlWhere = { where: string; values: readonly SqlValue[] }

/** One condition of several: those whose value is undefined are left out. Lists are for `IN (?)`. */
export function allOf(
  ...conditions: readonly (readonly [sql: string, value: SqlValue | undefined] | SqlCondition | undefined)[]
): SqlWhere {
  const asked = conditions.flatMap((one) => {
    if (one === undefined) return []
    if ('sql' in one) return [one]
    const [sql, value] = one
    return value === undefined ? [] : [{ sql, values: [value] }]
  })
  return {
    where: asked.map(({ sql }) => sql).join(' AND ') || '1 = 1',
    values: asked.flatMap(({ values }): SqlValue[] => values),
  }
}

/** Takes the lock of a name until the end of the transaction, where several write at the same time. */
export async function lockName(session: SqlSession, name: string): Promise<void> {
  const { lockName: lock } = session.dialect
  if (lock !== undefined) await session.run(lock, name)
}

/** A limit for a list without one: more than there are rows. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER
