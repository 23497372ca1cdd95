import assert from 'node:assert/strict'
import type { PostgresDatabase } from '../../src/db/postgres/database.ts'
import type { SqlSession, SqlTransaction } from '../../src/db/postgres/session.ts'
import type { SqlDatabase } from '../../src/db/sql/session.ts'

/** A statement, and the tables that its plan reads or changes. */
export type Explained = { sql: string; tables: string[] }

const OF_CHUNKS = /\b(chunks|passages|vectors)\b/

type Plan = { 'Relation Name'?: string; 'Target Tables'?: Plan[]; Plans?: Plan[] }

const tablesOf = (plan: Plan): string[] => [
  ...(plan['Relation Name'] === undefined ? [] : [plan['Relation Name']]),
  ...[...(plan['Target Tables'] ?? []), ...(plan.Plans ?? [])].flatMap(tablesOf),
]

/** A database that explains each statement about chunks before it runs it; the look that counts rows of all may be left out. */
export function explainedDatabase(
  database: PostgresDatabase,
  note: (one: Explained) => void,
): PostgresDatabase {
  function explained(session: SqlSession): SqlSession {
    const around =
      <Result>(run: (sql: string, ...values: Parameters<SqlSession['all']>[1][]) => Promise<Result>) =>
      async (sql: string, ...values: Parameters<SqlSession['all']>[1][]): Promise<Result> => {
        if (OF_CHUNKS.test(sql) && /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(sql)) {
          const [row] = await session.all<{ 'QUERY PLAN': { Plan: Plan }[] }>(
            `EXPLAIN (FORMAT JSON) ${sql}`,
            ...values,
          )
          note({ sql, tables: [...new Set(tablesOf(row!['QUERY PLAN'][0]!.Plan))] })
        }
        return run(sql, ...values)
      }
    return {
      dialect: session.dialect,
      all: around(session.all) as SqlSession['all'],
      get: around(session.get) as SqlSession['get'],
      run: around(session.run),
    }
  }
  const reader = explained(database.reader)
  const snapshot: SqlDatabase['snapshot'] = (work) => database.snapshot((session) => work(explained(session)))
  const transaction: PostgresDatabase['transaction'] = (work, options) =>
    database.transaction(
      (session) =>
        work({
          ...explained(session),
          copyIn: (...copied) => session.copyIn(...copied),
          copyOut: (query) => session.copyOut(query),
        } satisfies SqlTransaction),
      options,
    )
  return {
    ...database,
    ...{ reader, writer: explained(database.writer), transaction, snapshot },
    sql: {
      reader,
      snapshot,
      write: ({ run, repeatable = false }, request) =>
        transaction((session) => run(session, request), { repeatable }),
    },
  }
}

/** Refuses a plan with tables of several indexes. */
export function assertOneIndex({ sql, tables }: Explained): void {
  const owners = new Set(tables.flatMap((table) => /_of_(\d+)$/.exec(table)?.[1] ?? []))
  assert.ok(owners.size <= 1, `${tables.join(', ')}: ${sql}`)
}
