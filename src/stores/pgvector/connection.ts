import type { Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { ConnectionLost, isServerError } from '../../db/postgres/failures.ts'
import { openPool, type PostgresPool } from '../../db/postgres/pool.ts'
import { askClient } from '../../db/postgres/session.ts'
import { inTransaction, type RunTransaction } from '../../db/postgres/transaction.ts'
import { SluiceError } from '../../kit/errors.ts'
import { openOnce } from '../../kit/open-once.ts'

/** Versions of pgvector before this one have damaged HNSW indexes: 0.8.3 and 0.8.4 mend them. */
const OLDEST = [0, 8, 4] as const

/** Milliseconds. A search that reads a whole table takes longer than the statements of the platform may. */
const LIMITS = { connectMs: 10_000, statementMs: 60_000, lockMs: 10_000, idleInTransactionMs: 60_000 }

export type PgVectorServer = {
  host: string
  port: number
  database: string
  ssl: ClientConfig['ssl']
  /** Reads the credential; called when the first connection is opened, and again after the server has refused it. */
  login(): Promise<{ user: string; password: string }>
  /** A socket that connects where the egress rules allow. */
  socket(): Socket
}

/** Connections to a database with pgvector, which are opened at the first use. */
export type PgVectorConnection = {
  transaction: RunTransaction
  use: PostgresPool['use']
  close(): Promise<void>
}

/**
 * @param engine its name, for messages
 * @throws SluiceError by each call: `engine_unfit` where the server refuses the user, or has no pgvector or an old one;
 *   `engine_failed` where it does not answer, or refuses a statement; `egress_denied`; what `login` throws
 */
export function pgVectorConnection(engine: string, server: PgVectorServer): PgVectorConnection {
  let open = openOnce(connect)
  let pools: PostgresPool[] = []

  async function connect(): Promise<PostgresPool> {
    const { login, socket, ssl, host, port, database } = server
    const place = { host, port, database, ...(await login()), ssl: ssl ?? false, stream: socket }
    const pool = await openPool(place, LIMITS)
    try {
      await pool.use((client) =>
        refuseOld(async (sql) => (await askClient(client, sql, [])).rows as { version?: string }[]),
      )
    } catch (error) {
      await pool.close()
      throw error
    }
    pools.push(pool)
    return pool
  }

  async function asked<T>(work: (pool: PostgresPool) => Promise<T>): Promise<T> {
    try {
      return await work(await open())
    } catch (error) {
      const failure = failureOf(engine, error)
      // The user or the password may have been changed: the next call reads the credential again.
      if (failure instanceof SluiceError && failure.code === 'engine_unfit') open = openOnce(connect)
      throw failure
    }
  }

  return {
    transaction: (work, options) => asked((pool) => inTransaction(pool, work, options)),
    use: (work) => asked((pool) => pool.use(work)),
    async close() {
      const closing = pools
      pools = []
      await Promise.all(closing.map((pool) => pool.close()))
    },
  }
}

/** Installs pgvector where the user may, and refuses versions that are too old. */
async function refuseOld(ask: (sql: string) => Promise<{ version?: string }[]>): Promise<void> {
  const installed = `SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'`
  let [extension] = await ask(installed)
  if (!extension) {
    try {
      await ask('CREATE EXTENSION IF NOT EXISTS vector')
    } catch (error) {
      if (!isServerError(error)) throw error
      throw new Unfit(`its database has no extension vector, and it cannot be installed: ${error.message}`)
    }
    extension = (await ask(installed))[0]
  }
  const version = extension?.version ?? ''
  if (isOlder(version.split('.').map(Number)))
    throw new Unfit(
      `pgvector has version ${version}, and ${OLDEST.join('.')} is the oldest that works: install it, and run ALTER EXTENSION vector UPDATE`,
    )
}

function isOlder(version: readonly number[]): boolean {
  const at = OLDEST.findIndex((wanted, place) => (version[place] ?? 0) !== wanted)
  return at !== -1 && (version[at] ?? 0) < OLDEST[at]!
}

/** The server cannot be used, for this reason. */
class Unfit extends Error {}

function failureOf(engine: string, error: unknown): unknown {
  if (error instanceof Unfit) return new SluiceError('engine_unfit', { engine, reason: error.message })
  if (error instanceof ConnectionLost && error.cause instanceof SluiceError) return error.cause
  if (error instanceof SluiceError && error.cause instanceof ConnectionLost)
    return failureOf(engine, error.cause)
  if (error instanceof SluiceError && error.code === 'database_unfit')
    return new SluiceError('engine_unfit', { engine, reason: String(error.facts.reason) }, { cause: error })
  const isDatabase = error instanceof SluiceError && error.code.startsWith('database_')
  // A message of the server has no values of rows: those are in its details.
  if (isDatabase || isServerError(error) || error instanceof ConnectionLost)
    return new SluiceError('engine_failed', { engine, reason: error.message }, { cause: error })
  return error
}
