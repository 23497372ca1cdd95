import type { Connection } from './connection.ts'

/**
 * One way of changing the database: it runs inside a transaction on the writing connection. `staged` marks work that
 * nobody can see yet: a power cut may take it, since the run is simply done again; whatever publishes is durable.
 */
export type Write<Request, Result> = {
  run(connection: Connection, request: Request): Result
  staged?: true
}
