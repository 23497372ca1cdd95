/** The connection to the server ended, or the server did not answer in time. What it was doing may be done or not. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'ConnectionLost'
  }
}

/**
 * The server takes no changes, as an old primary that has become a standby. Nothing of the statement was done. Another connection may lead
 * to the new primary.
 */
export class ReadOnlyServer extends ConnectionLost {}

/** An error that the server has sent. */
export type ServerError = Error & { code: string; constraint?: string }

export const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'

/**
 * SQLSTATEs with which the server ends a connection, or refuses one for now: it stops or starts, it has no room, the transaction
 * was idle for too long, or the connection is broken (class 08).
 */
const ENDS_CONNECTION = /^(08...|57P0[1235]|53300|25P0[34])$/

/** SQLSTATEs of transactions that were rolled back because of others: conflict, deadlock, a lock that was not given in time. */
const ROLLED_BACK = new Set(['40001', '40P01', '55P03'])

/** SQLSTATE of a statement that took longer than it may. */
const TOO_SLOW = '57014'

/** SQLSTATE of a change on a server that takes none. */
const READ_ONLY = '25006'

/**
 * A failure of a statement as this room distinguishes it: all that is no answer of the server is a lost connection, and so is a server that
 * takes no changes.
 */
export function asFailure(error: unknown): unknown {
  if (!isServerError(error)) return new ConnectionLost(error)
  if (error.code === READ_ONLY) return new ReadOnlyServer(error)
  return ENDS_CONNECTION.test(error.code) ? new ConnectionLost(error) : error
}

/** Whether a transaction was certainly rolled back, for a reason that may be gone with the next attempt. */
export const isRolledBack = (error: unknown): boolean => isServerError(error) && ROLLED_BACK.has(error.code)

export const isTooSlow = (error: unknown): boolean => isServerError(error) && error.code === TOO_SLOW

/** Whether a row was refused by a unique index of this name. */
export const isDuplicate = (error: unknown, index: string): boolean =>
  isServerError(error) && error.code === '23505' && error.constraint === index

/** Whether a row was refused because the row that it refers to does not exist. */
export const isOrphan = (error: unknown): boolean => isServerError(error) && error.code === '23503'
