import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase, ClientConfig, CustomTypesConfig, Pool, PoolClient } from 'pg'
import { SluiceError } from '../../kit/errors.ts'
import { asFailure, ConnectionLost, isServerError, ReadOnlyServer } from './failures.ts'
import { SERVER_PROGRAM } from './program.ts'
import { askClient, type SqlSession } from './session.ts'

/**
 * How long things may take, in milliseconds. A connection whose other end is gone without a word answers nothing and holds its
 * locks: without these limits, jobs of other members wait behind such locks until TCP gives up.
 */
const LIMITS = { connectMs: 3000, statementMs: 4000, lockMs: 2000, idleInTransactionMs: 4000 }

/**
 * How often the server looks, during a statement, whether the connection is still open, in milliseconds. Otherwise it ends the
 * statement of a killed process first, and others wait for its locks.
 */
const LOOK_MS = 250

/** SQLSTATE of a setting that has not this value: the system of the server cannot look. */
const NO_SUCH_VALUE = '22023'

/** How much longer than the server the client waits: where the server still answers, its own limit comes first. */
const CLIENT_WAITS_MS = 1000

const CONNECTIONS = 10

export type PoolLimits = Partial<typeof LIMITS>

const BIGINT = 20
const BYTEA = 17

/** `bigint` as number: ids, counts and times are below 2^53. Bytes as Uint8Array, as SQLite gives them. */
const typesOf = (pg: Pick<typeof import('pg'), 'types'>): CustomTypesConfig => ({
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === BIGINT) return Number
    if (oid === BYTEA) return (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))
    return pg.types.getTypeParser(oid, format as 'text')
  }) as CustomTypesConfig['getTypeParser'],
})

export type PoolFigures = { used: number; idle: number; waiting: number }

/**
 * How long a check may take and one statement of it, and how long ago an answer to other work counts, in milliseconds. A probe that asks
 * every few seconds must have an answer in time, also where the line is silent.
 */
const CHECK = { allMs: 2500, statementMs: 1000, answeredMs: 2500 }

/** Connections to one database. */
export type PostgresPool = {
  /** Statements that begin every transaction, where the settings of a connection do not last until the next one. */
  readonly limits: string | undefined
  /**
   * Lends a connection. One that was lost is closed instead of given back.
   *
   * @throws ConnectionLost; SluiceError `stopping` once it is closed; what `work` throws
   */
  use<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  /**
   * Looks whether the database answers and takes changes, within {@link CHECK}. One whose connections are all at work, and answer, passes.
   *
   * @throws ConnectionLost
   */
  check(): Promise<void>
  /** The connections at this moment, and how many calls wait for one. */
  figures(): PoolFigures
  close(): Promise<void>
}

/** The address of another database than that of DATABASE_URL, and how its connections are opened. */
export type PostgresPlace = Required<Pick<ClientConfig, 'host' | 'port' | 'database' | 'user' | 'password'>> &
  Pick<ClientConfig, 'ssl' | 'stream'>

/**
 * @param address as in DATABASE_URL, or its parts
 * @param program the name that the server lists its connections by, unless the address has another
 * @param eachTransaction as `limits` of {@link PostgresPool}, for a pooler in transaction mode; {@link limitsOf} makes them
 */
export async function openPool(
  address: string | PostgresPlace,
  limits: PoolLimits = {},
  program: string = SERVER_PROGRAM,
  eachTransaction?: string,
): Promise<PostgresPool> {
  const { default: pg } = await import('pg')
  const { connectMs, statementMs, lockMs, idleInTransactionMs } = { ...LIMITS, ...limits }
  const pool: Pool = new pg.Pool({
    ...(typeof address === 'string' ? { connectionString: address } : address),
    fallback_application_name: program,
    max: CONNECTIONS,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs + CLIENT_WAITS_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: typesOf(pg),
    // As statements, since poolers refuse connections that begin with such parameters.
    ...(eachTransaction === undefined
      ? { onConnect: (client) => limitSession(client, { statementMs, lockMs, idleInTransactionMs }) }
      : {}),
  })
  // A connection may end while nothing is asked on it: the next statement notices.
  pool.on('error', () => {})
  /**
   * What befalls one connection befalls the others that were opened by then: a line that went silent, a server that became a standby. So
   * they are closed where they would be lent, and what follows learns of it at once.
   */
  let generation = 0
  const generations = new WeakMap<PoolClient, number>()
  pool.on('connect', (client) => {
    generations.set(client, generation)
    client.on('error', () => {})
  })
  let answeredAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  async function lend(): Promise<PoolClient> {
    for (;;) {
      // Not a lost connection: what is repeated after one, as by a sweep while the database is away, has to end.
      if (isClosed) throw new SluiceError('stopping')
      const client = await pool.connect().catch((error: unknown) => {
        throw error instanceof SluiceError ? error : (refusal(error) ?? asFailure(error))
      })
      if ((generations.get(client) ?? generation) === generation) return client
      client.release(true)
    }
  }

  async function use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await lend()
    let lost: Error | undefined
    try {
      const result = await work(client)
      answeredAt = performance.now()
      return result
    } catch (error) {
      if (error instanceof ConnectionLost) {
        lost = error
        if (generations.get(client) === generation) generation++
      }
      throw error
    } finally {
      client.release(lost)
    }
  }

  const lookOnce = () =>
    use(async (client) => {
      const { rows } = await askClient(client, REFUSES_CHANGES, [], CHECK.statementMs)
      if ((rows[0] as { refuses: boolean }).refuses) throw new ReadOnlyServer('it takes no changes')
    })

  return {
    limits: eachTransaction,
    use,
    async check() {
      const late = new AbortController()
      // The second attempt has a connection of its own: the first may have had one that is gone.
      const looked = lookOnce().catch((error: unknown) => {
        if (error instanceof ConnectionLost && !late.signal.aborted) return lookOnce()
        throw error
      })
      const ended = pause(CHECK.allMs, undefined, { ref: false, signal: late.signal }).then(() => {
        if (performance.now() - answeredAt > CHECK.answeredMs)
          throw new ConnectionLost(`it did not answer within ${CHECK.allMs / 1000} seconds`)
      })
      try {
        await Promise.race([looked, ended])
      } finally {
        late.abort()
        for (const one of [looked, ended]) one.catch(() => {})
      }
    },
    figures: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close() {
      isClosed = true
      return pool.end()
    },
  }
}

/** Also where only the account or the database was made read-only. */
const REFUSES_CHANGES = "SELECT current_setting('transaction_read_only') = 'on' AS refuses"

async function limitSession(
  client: ClientBase,
  limits: { statementMs: number; lockMs: number; idleInTransactionMs: number },
): Promise<void> {
  const settings = {
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  }
  const set = (all: Record<string, number>) =>
    askClient(
      client,
      'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS setting (name, value)',
      [Object.keys(all), Object.values(all).map(String)],
    )
  await set({ ...settings, client_connection_check_interval: LOOK_MS }).catch((error: unknown) => {
    if (!isServerError(error) || error.code !== NO_SUCH_VALUE) throw error
    return set(settings)
  })
}

/** The limits of a direct connection as statements that begin a transaction. */
export async function limitsOf(direct: SqlSession): Promise<string> {
  const row = await direct.get<{ limits: string }>(
    `SELECT string_agg(format('SET LOCAL %s = %L', name, current_setting(name)), '; ') AS limits FROM unnest($1::text[]) AS name`,
    [
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
      'client_connection_check_interval',
    ],
  )
  return row!.limits
}

/** Classes of errors that another attempt does not mend: user or password, the database, the protocol of the server. */
const NOT_PASSING = /^(28|3D|08P01|42501|0A)/

function refusal(error: unknown): SluiceError | undefined {
  if (!isServerError(error) || !NOT_PASSING.test(error.code)) return undefined
  return new SluiceError('database_unfit', { reason: error.message }, { cause: error })
}
