import type { Socket } from 'node:net'
import type { Cell } from '../../formats/row-columns.ts'
import { SluiceError } from '../../kit/errors.ts'

/** A database server, and a query that it answers. */
export type ServerQuery = {
  host: string
  port: number
  database: string
  /** `anyCertificate`: encrypted, without knowing whom to. */
  encryption: 'off' | 'on' | 'anyCertificate'
  query: string
  /** How long the server may take for the next rows, in milliseconds. */
  timeoutMs: number
  /** Reads the credential. */
  login(): Promise<{ user: string; password: string }>
  /** A socket that connects where the egress rules allow. */
  socket(): Socket
}

/** The columns of a query, and its rows while they are read. `close` ends the connection, also where no row was read. */
export type RowStream = { names: string[]; rows: AsyncIterable<Cell[]>; close(): Promise<void> | void }

/** Answers a query in a session that only reads. The connection ends with the rows, or by `close`. */
export type QueryRows = (query: ServerQuery, signal: AbortSignal) => Promise<RowStream>

/** How large a row may be, in bytes. */
const MOST_ROW_BYTES = 32 * 2 ** 20

export const CONNECT_MS = 10_000

/** What a server has refused, or what is wrong with a row: a sentence for the person who wrote the query. */
export class QueryRefusal extends Error {}

/** How often a row that comes is looked at, in milliseconds. */
const LOOK_MS = 100

/**
 * Ends a connection that sends more than one row may be long without the end of a row: clients hold a row as a whole.
 *
 * @returns what is called with each row. @throws QueryRefusal by it where the row is too long
 */
export function watchRows(socket: Socket): () => void {
  let before = socket.bytesRead
  const most = MOST_ROW_BYTES / 2 ** 20
  const refusal = () =>
    new QueryRefusal(`a row is larger than ${most} MB: choose its columns, or cut them in the query`)
  const isTooLong = () => socket.bytesRead - before > MOST_ROW_BYTES
  const timer = setInterval(() => {
    if (isTooLong()) socket.destroy(refusal())
  }, LOOK_MS)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
  return () => {
    if (isTooLong()) throw refusal()
    before = socket.bytesRead
  }
}

/** The refusal of a query whose rows do not come in time. */
export const tooSlow = (timeoutMs: number): QueryRefusal =>
  new QueryRefusal(`the database took more than ${timeoutMs / 1000} seconds for its rows`)

/** An error of a client or its network as one of this server. @param file the name of the source */
export function queryFailure(error: unknown, file: string): unknown {
  if (error instanceof SluiceError) return error
  if (error instanceof QueryRefusal)
    return new SluiceError('file_unreadable', { file, reason: error.message }, { cause: error })
  if (!(error instanceof Error)) return error
  const cause = causeOf(error)
  if (cause !== error) return queryFailure(cause, file)
  return new SluiceError('fetch_failed', { file, reason: reasonOfNetwork(error) }, { cause: error })
}

const causeOf = (error: Error): unknown =>
  error.cause instanceof SluiceError || error.cause instanceof QueryRefusal ? error.cause : error

function reasonOfNetwork(error: Error & { code?: string }): string {
  if (error.code === 'ECONNREFUSED') return 'the server refuses the connection'
  if (/terminated|closed|ECONNRESET|EPIPE/i.test(`${error.code} ${error.message}`))
    return 'the connection was cut'
  return error.message
}
