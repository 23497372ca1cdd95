import type { Connection } from './connection.ts'

/**
 * One way of changing the database: it runs inside a transaction on the writing connection. `staged` marks work that is
 * not visible yet: a power cut may lose it, because the run is then done again. Every other write is durable.
 */
export type Write<Request, Result> = {
  /** By which the writing thread finds it in `writes.ts`. */
  readonly name: string
  readonly staged?: true
  /** It takes room that may be large: refused while the disk is full. What gives room back, or ends something, is not. */
  readonly grows?: true
  run(connection: Connection, request: Request): Result
}
