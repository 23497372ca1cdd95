import type { SqlDialect } from './dialect.ts'

/** A value of a statement. A list is for `IN (?)`; `= ANY($1)` and `unnest($1)` where only PostgreSQL is meant. */
export type SqlValue = string | number | boolean | null | Uint8Array | readonly SqlValue[]

/** A row as a database gives it: a boolean is 0 or 1 in SQLite. */
export type SqlRow = Record<string, unknown>

/**
 * Runs statements, in both databases the same text: `?`, or `?1`, `?2`… where one is used twice, stand for the values in their order;
 * `IN (?)` and `NOT IN (?)` take a list of any length. What differs is in {@link SqlDialect}.
 */
export type SqlSession = {
  readonly dialect: SqlDialect
  all<T extends object = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<T[]>
  /** The first row. */
  get<T extends object = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<T | undefined>
  /** How many rows a statement has changed. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<number>
}

/**
 * A change of the database, done as a transaction: whole or not at all. PostgreSQL may do it again after a conflict, so it changes
 * nothing else; SQLite does it on its writing thread, so the request can be sent there.
 *
 * - `staged`: nobody sees it yet. A power cut may lose it in SQLite, because the work is then done again. Every other write is durable.
 * - `grows`: it may need much space: refused while the disk is full. Writes that free space, or end something, are not.
 * - `isOneStatement`: PostgreSQL needs no transaction around it. A second statement is an error there.
 * - `repeatable`: it may be done twice, so it is repeated even where its first commit may have succeeded.
 */
export type SqlWrite<Request, Result> = {
  /** The writing thread finds the write by its name. */
  readonly name: string
  readonly staged?: true
  readonly grows?: true
  readonly isOneStatement?: true
  readonly repeatable?: true
  run(session: SqlSession, request: Request): Promise<Result>
}

/** What a repository needs of a database, whichever it is. */
export type SqlDatabase = {
  /** Single statements that change nothing. */
  readonly reader: SqlSession
  /** One view of the database for all that `work` reads. It must wait for nothing but its session. */
  snapshot<T>(work: (session: SqlSession) => Promise<T>): Promise<T>
  /** Resolves with the result of a write when it is committed. */
  write<Request, Result>(write: SqlWrite<Request, Result>, request: Request): Promise<Result>
}
