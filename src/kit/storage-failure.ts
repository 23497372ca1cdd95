/** SQLite's result codes for failures that a user can repair; see https://sqlite.org/rescode.html. */
const FULL = 13
const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26
const CONSTRAINT = 19

/** Whether a failure of SQLite or of the file system means that the disk is full. */
export function isFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || primary(errcode) === FULL
}

/** Whether a failure of SQLite means that another connection holds a lock. */
export const isBusy = (error: unknown): boolean =>
  primary(((error ?? {}) as { errcode?: unknown }).errcode) === BUSY

/** Whether a failure of SQLite means that the file is damaged. */
export function isDamage(error: unknown): boolean {
  const code = primary(((error ?? {}) as { errcode?: unknown }).errcode)
  return code === CORRUPT || code === NOT_A_DATABASE
}

/** Whether SQLite has refused a row: a value of it does not fit the schema, or another row. */
export const isRefusedRow = (error: unknown): boolean =>
  primary(((error ?? {}) as { errcode?: unknown }).errcode) === CONSTRAINT

/** Whether SQLite cannot read a database at all: it is damaged, the disk fails, or a table is missing. */
export function isUnreadable(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === 'ERR_SQLITE_ERROR' && primary(errcode) !== BUSY && !isFull(error)
}

/** The low byte of a result code is its kind, the rest is a detail. */
const primary = (errcode: unknown) => (typeof errcode === 'number' ? errcode & 0xff : undefined)
