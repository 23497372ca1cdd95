import type { SQLInputValue } from 'node:sqlite'
import { SQL_DIALECTS } from '../sql/dialects.ts'
import type { SqlSession, SqlValue, SqlWrite } from '../sql/session.ts'
import type { Connection } from './connection.ts'
import type { Write } from './write.ts'

/** Lists as JSON, booleans as numbers. */
function storable(value: SqlValue): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue)
}

const sessions = new WeakMap<Connection, SqlSession>()

/** The statements of a connection. They are done at once: to wait for one gives nobody else a turn but work that waits likewise. */
export function sessionOf(connection: Connection): SqlSession {
  let session = sessions.get(connection)
  if (session === undefined) {
    session = {
      dialect: SQL_DIALECTS.sqlite,
      all: async <T>(sql: string, ...values: SqlValue[]) =>
        connection.all(sql, ...values.map(storable)) as T[],
      get: async <T>(sql: string, ...values: SqlValue[]) =>
        connection.get(sql, ...values.map(storable)) as T | undefined,
      run: async (sql, ...values) => connection.run(sql, ...values.map(storable)),
    }
    sessions.set(connection, session)
  }
  return session
}

/** A write of both databases, as one of the writing thread. */
export const onThread = <Request, Result>({
  name,
  staged,
  grows,
  run,
}: SqlWrite<Request, Result>): Write<Request, Result> => ({
  name,
  ...(staged && { staged }),
  ...(grows && { grows }),
  run: (connection, request) => run(sessionOf(connection), request),
})
