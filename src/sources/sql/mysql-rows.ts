import type { Readable } from 'node:stream'
import { type Connection, type ConnectionOptions, createConnection, type FieldPacket } from 'mysql2'
import { BINARY, type Cell } from '../../formats/row-columns.ts'
import type { Json } from '../../kit/json.ts'
import { untilAborted } from '../../kit/until-aborted.ts'
import {
  CONNECT_MS,
  QueryRefusal,
  type QueryRows,
  type ServerQuery,
  tooSlow,
  watchRows,
} from './row-stream.ts'

/** Rows that are read ahead. */
const AHEAD = 4
/** How long the server waits for a reader that embeds what it has read, in seconds. */
const PATIENCE = 3600

/** Rows of MySQL and MariaDB, which the server sends as they are read, in a transaction that only reads. */
export const mysqlRows: QueryRows = async (server, signal) => {
  const { query, timeoutMs } = server
  const { connection, seen, lost, whenLost } = await connect(server)
  const end = () => connection.destroy()
  signal.addEventListener('abort', end, { once: true })
  const close = () => {
    signal.removeEventListener('abort', end)
    connection.destroy()
  }
  const failure = (error: unknown) => (signal.aborted ? signal.reason : failureOf(lost() ?? error))
  /** A query that the server goes on with would take its time for nobody. */
  const kill = async () => {
    const { connection: other } = await connect(server)
    await asked(other, `KILL QUERY ${connection.threadId}`).finally(() => other.destroy())
  }
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const timer = AbortSignal.timeout(timeoutMs)
    try {
      return await untilAborted(timer, work)
    } catch (error) {
      if (!timer.aborted) throw failure(error)
      await kill().catch(() => {})
      throw tooSlow(timeoutMs)
    }
  }
  try {
    for (const statement of [
      `SET SESSION net_write_timeout = ${PATIENCE}`,
      'SET SESSION TRANSACTION READ ONLY',
      'START TRANSACTION READ ONLY',
    ])
      await inTime(asked(connection, statement))
    const running = connection.query({ sql: query, rowsAsArray: true })
    const described = Promise.withResolvers<FieldPacket[]>()
    running.on('fields', (fields: FieldPacket[] | undefined) =>
      fields ? described.resolve(fields) : described.reject(new QueryRefusal('the query returns no rows')),
    )
    running.on('error', described.reject)
    const rows = running.stream({ highWaterMark: AHEAD })
    rows.on('error', described.reject)
    // The client says to the connection alone that it is lost, not to the query.
    whenLost((error) => {
      described.reject(error)
      rows.destroy(error)
    })
    // Read below; a failure before that is the one of the columns.
    const fields = await inTime(described.promise)
    return { names: fields.map(({ name }) => name), rows: rowsOf(rows), close }
  } catch (error) {
    close()
    throw error
  }

  async function* rowsOf(rows: Readable): AsyncIterable<Cell[]> {
    try {
      const iterator = rows[Symbol.asyncIterator]() as AsyncIterator<unknown[]>
      for (;;) {
        const next = await inTime(iterator.next())
        if (next.done) return
        seen()
        yield next.value.map(cellOf)
      }
    } finally {
      close()
    }
  }
}

/** Connects and signs in. `lost` is what ended the socket, `seen` is called with each row. */
async function connect({ host, port, database, encryption, login, socket: open }: ServerQuery) {
  const socket = open()
  let failed: Error | undefined
  let whenLost: ((error: Error) => void) | undefined
  const fail = (error: Error) => {
    failed ??= error
    whenLost?.(failed)
  }
  socket.on('error', fail)
  const credential = await login()
  const options: ConnectionOptions = {
    host,
    port,
    database,
    ...credential,
    charset: 'utf8mb4',
    connectTimeout: CONNECT_MS,
    dateStrings: true,
    supportBigNumbers: true,
    multipleStatements: false,
    stream: () => {
      socket.connect(port, host)
      return socket
    },
    ...(encryption === 'off'
      ? {}
      : { ssl: { rejectUnauthorized: encryption === 'on', verifyIdentity: encryption === 'on' } }),
  }
  const connection = createConnection(options)
  connection.on('error', fail)
  try {
    await new Promise<void>((resolve, reject) => {
      connection.connect((error) => (error ? reject(error) : resolve()))
    })
  } catch (error) {
    connection.destroy()
    throw failureOf(failed ?? error)
  }
  return {
    connection,
    seen: watchRows(socket),
    lost: () => failed,
    whenLost(callback: (error: Error) => void) {
      whenLost = callback
      if (failed) callback(failed)
    },
  }
}

const asked = (connection: Connection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.query(sql, (error) => (error ? reject(error) : resolve()))
  })

function cellOf(value: unknown): Cell {
  return Buffer.isBuffer(value) ? BINARY : (value as Json)
}

/** Errors of the server have a state; those of the network have none. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('sqlState' in error) || typeof error.sqlState !== 'string') return error
  if (error.sqlState === '28000') return new QueryRefusal('the server refuses the user or the password')
  if (error.sqlState.startsWith('22'))
    return new QueryRefusal(`a value of a row does not fit (${error.sqlState})`)
  return new QueryRefusal(`the server says: ${error.message}`)
}
