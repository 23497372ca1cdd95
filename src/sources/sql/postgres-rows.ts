import type { Socket } from 'node:net'
import pg from 'pg'
import { BINARY, type Cell } from '../../formats/row-columns.ts'
import { type Json, parseJson } from '../../kit/json.ts'
import { CONNECT_MS, QueryRefusal, type QueryRows, tooSlow, watchRows } from './row-stream.ts'

/** The rows of one call. */
const ROWS = 100
/** Rows that are read ahead; the server then waits. */
const AHEAD = 4

/** Rows of PostgreSQL by a cursor in a transaction that only reads. */
export const cursorRows: QueryRows = async (
  { host, port, database, encryption, query, timeoutMs, login, socket: open },
  signal,
) => {
  const socket = open()
  const client = new pg.Client({
    host,
    port,
    database,
    ...(await login()),
    ssl: encryption === 'off' ? false : { rejectUnauthorized: encryption === 'on' },
    stream: () => socket,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'sluice',
    types: { getTypeParser: () => (text: string) => text },
  })
  // A connection that fails between two calls says so here; the next call fails with it.
  let lost: Error | undefined
  client.on('error', (error) => {
    lost ??= error
  })
  socket.on('error', (error) => {
    lost ??= error
  })
  const end = () => socket.destroy()
  signal.addEventListener('abort', end, { once: true })
  const close = async () => {
    signal.removeEventListener('abort', end)
    await client.end().catch(() => {})
    socket.destroy()
  }
  const seen = watchRows(socket)
  const ask = async (text: string, values?: string[]) => {
    try {
      const settings = {
        text,
        rowMode: 'array',
        queryMode: 'extended',
        ...(values ? { values } : {}),
      } as const
      return await client.query<Cell[]>(settings)
    } catch (error) {
      signal.throwIfAborted()
      throw failureOf(lost ?? error, timeoutMs)
    }
  }
  try {
    await client.connect().catch((error: unknown) => {
      throw failureOf(lost ?? error, timeoutMs)
    })
    await ask('BEGIN READ ONLY')
    await ask(`SELECT set_config('statement_timeout', $1, true)`, [String(timeoutMs)])
    // One statement is all that is prepared: the server refuses a second one.
    await ask(`DECLARE sluice_rows NO SCROLL CURSOR FOR ${query}`)
    const { fields } = await ask('FETCH 0 FROM sluice_rows')
    const types = fields.map(({ dataTypeID }) => dataTypeID)
    return { names: fields.map(({ name }) => name), rows: rowsOf(types), close }
  } catch (error) {
    await close()
    throw error
  }

  async function* rowsOf(types: readonly number[]): AsyncIterable<Cell[]> {
    try {
      for (let count = ROWS; count === ROWS; ) {
        count = 0
        for await (const row of fetched()) {
          count += 1
          yield row.map((value, index) => cellOf(value, types[index]!))
        }
      }
    } finally {
      await close()
    }
  }

  /** The rows of one call, which come while they are read. */
  async function* fetched(): AsyncIterable<(string | null)[]> {
    const text = `FETCH ${ROWS} FROM sluice_rows`
    const call = new pg.Query<(string | null)[]>({
      text,
      rowMode: 'array',
      queryMode: 'extended',
    } as pg.QueryConfig)
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    const waiting: (string | null)[][] = []
    let ended: { error?: unknown } | undefined
    let changed = Promise.withResolvers<void>()
    const end = (how: { error?: unknown }) => {
      ended ??= how
      changed.resolve()
    }
    call.on('row', (row) => {
      try {
        seen()
      } catch (error) {
        socket.destroy(error as Error)
        return end({ error })
      }
      waiting.push(row)
      if (waiting.length >= AHEAD) stream.pause()
      changed.resolve()
    })
    call.on('end', () => end({}))
    call.on('error', (error) => end({ error }))
    client.query(call)
    for (;;) {
      for (let row = waiting.shift(); row; row = waiting.shift()) yield row
      if (ended) break
      changed = Promise.withResolvers()
      stream.resume()
      await changed.promise
    }
    if (!('error' in ended)) return
    signal.throwIfAborted()
    throw failureOf(lost ?? ended.error, timeoutMs)
  }
}

/** Types by their numbers in PostgreSQL. All others are read as the server writes them. */
const NUMBERS = new Set([20, 21, 23, 26, 700, 701])
const JSONS = new Set([114, 3802])
const [BOOL, BYTEA] = [16, 17]

function cellOf(text: string | null, type: number): Cell {
  if (text === null) return null
  if (type === BYTEA) return BINARY
  if (type === BOOL) return text === 't'
  if (JSONS.has(type)) return (parseJson(text) as Json | undefined) ?? text
  if (!NUMBERS.has(type)) return text
  const number = Number(text)
  // An integer that JavaScript cannot represent keeps its digits, and Infinity its name.
  return Number.isFinite(number) && (!/^-?\d+$/.test(text) || Number.isSafeInteger(number)) ? number : text
}

/** Errors of the class 22 name a value of a row, which is no part of a message. */
function failureOf(error: unknown, timeoutMs: number): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { code = '', message } = error
  if (code === '57014') return tooSlow(timeoutMs)
  if (code.startsWith('22')) return new QueryRefusal(`a value of a row does not fit (${code})`)
  if (code.startsWith('28')) return new QueryRefusal('the server refuses the user or the password')
  return new QueryRefusal(`the server says: ${message}`)
}
