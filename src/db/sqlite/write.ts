import type { Connection } from './connection.ts'

/**
 * A write operation, run inside a transaction on the writing connection. `staged` marks work that is not visible yet: a power
 * cut may lose it, because the run is then done again. Every other write is durable.
 */
export type Write<Request, Result> = {
  /** The writing thread finds the operation by its name in `writes.ts`. */
  readonly name: string
  readonly staged?: true
  /** It may need much space: refused while the disk is full. Operations that free space, or end something, are not. */
  readonly grows?: true
  run(connection: Connection, request: Request): Result | Promise<Result>
}
