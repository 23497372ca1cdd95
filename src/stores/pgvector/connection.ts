import type { Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { ConnectionLost, isServerError } from '../../db/postgres/failures.ts'
import { openPool, type PostgresPool } from '../../db/postgres/pool.ts'
import { askClient, type SqlTransaction } from '../../db/postgres/session.ts'
import { inTransaction } from '../../db/postgres/transaction.ts'
import { useUntil } from '../../db/postgres/use-until.ts'
import { callFailure, NetworkError } from '../../kit/egress/network-error.ts'
import { errorChain, reasonOf, SluiceError } from '../../kit/errors.ts'
import { openOnce } from '../../kit/open-once.ts'
import { withoutPatience } from '../../kit/patience.ts'
import type { RetryDecision } from '../../kit/retry.ts'
import { untilAborted } from '../../kit/until-aborted.ts'
import { engineWait } from '../remote/engine-wait.ts'
import { patientCall } from '../remote/patient-call.ts'

/** Versions of pgvector before this one have damaged HNSW indexes: 0.8.3 and 0.8.4 mend them. */
const OLDEST = [0, 8, 4] as const

/** Milliseconds. A search that reads a whole table takes longer than the statements of the platform may. */
const LIMITS = { connectMs: 10_000, statementMs: 60_000, lockMs: 10_000, idleInTransactionMs: 60_000 }

/** The opening of a pool takes a connection, its settings and a look at the version. */
const OPENING_TIMES = 2

/** The name of the product in messages. */
const PROVIDER = 'PostgreSQL with pgvector'

/** How long a request waits unless its card says so, in milliseconds. */
const TIMEOUT_MS = 60_000

/** How many attempts a request makes. */
const ATTEMPTS = 5

export type PgVectorServer = {
  host: string
  port: number
  database: string
  ssl: ClientConfig['ssl']
  /** Reads the credential; called when the first connection is opened, and again after the server has refused it. */
  login(): Promise<{ user: string; password: string }>
  /** A socket that connects where the egress rules allow. */
  socket(): Socket
  /** How long a request waits for an answer, all attempts together, in milliseconds; a minute unless given. A job waits longer. */
  timeoutMs?: number
}

/** Connections to a database with pgvector, which are opened at the first use. */
export type PgVectorConnection = {
  /** The work may be done twice. It is done again as long as the running work may wait (`kit/patience.ts`). */
  transaction<T>(work: (sql: SqlTransaction) => Promise<T>): Promise<T>
  /** Without a limit on its time, for the building of indexes. */
  use: PostgresPool['use']
  close(): Promise<void>
}

/**
 * @param engine its name, for messages
 * @throws SluiceError by each call: `engine_unfit` where the server refuses the user, or has no pgvector or an old one;
 *   `engine_failed` where it refuses a statement; `provider_failed` and `provider_timeout` where it cannot be reached or does not answer,
 *   as of other servers; `egress_denied`; what `login` throws
 */
export function pgVectorConnection(engine: string, server: PgVectorServer): PgVectorConnection {
  const { timeoutMs = TIMEOUT_MS } = server
  // A request that may take longer has statements that may.
  const limits = {
    ...LIMITS,
    connectMs: Math.min(LIMITS.connectMs, timeoutMs),
    statementMs: Math.max(LIMITS.statementMs, timeoutMs),
  }
  // Others wait for it too.
  const opening = () => openOnce(() => withoutPatience(connect))
  let open = opening()
  let pools: PostgresPool[] = []
  let hasAnswered = false

  async function connect(): Promise<PostgresPool> {
    const { login, socket, ssl, host, port, database } = server
    const place = { host, port, database, ...(await login()), ssl: ssl ?? false, stream: socket }
    const pool = await openPool(place, limits)
    const late = AbortSignal.timeout(OPENING_TIMES * limits.connectMs)
    try {
      await useUntil(pool, late, (client) =>
        refuseOld(async (sql) => (await askClient(client, sql, [])).rows as { version?: string }[]),
      )
    } catch (error) {
      // A connection that is silent while it is opened would be waited for.
      pool.close().catch(() => {})
      throw late.aborted ? new ConnectionLost(error) : error
    }
    pools.push(pool)
    return pool
  }

  async function asked<T>(work: (pool: PostgresPool) => Promise<T>): Promise<T> {
    try {
      const pool = await open()
      hasAnswered = true
      return await work(pool)
    } catch (error) {
      const failure = failureOf(error)
      // The user or the password may have been changed: the next call reads the credential again.
      if (failure instanceof SluiceError && failure.code === 'engine_unfit') open = opening()
      throw failure
    }
  }

  function failureOf(error: unknown): unknown {
    if (error instanceof Unfit) return new SluiceError('engine_unfit', { engine, reason: error.message })
    if (error instanceof ConnectionLost) return lostFailure(error, limits)
    if (error instanceof SluiceError && error.cause instanceof ConnectionLost) return failureOf(error.cause)
    if (error instanceof SluiceError && error.code === 'database_unfit')
      return new SluiceError('engine_unfit', { engine, reason: String(error.facts.reason) }, { cause: error })
    const isDatabase = error instanceof SluiceError && error.code.startsWith('database_')
    // A message of the server has no values of rows: those are in its details.
    if (isDatabase || isServerError(error))
      return new SluiceError('engine_failed', { engine, reason: error.message }, { cause: error })
    return error
  }

  const wait = () =>
    engineWait({ server: PROVIDER, timeoutMs, attempts: ATTEMPTS, hasAnswered: () => hasAnswered })

  /** One attempt; none waits for the opening longer than for an answer. */
  const attempt = <T>(work: (sql: SqlTransaction) => Promise<T>, signal: AbortSignal): Promise<T> =>
    untilAborted(
      signal,
      asked((pool) => inTransaction(pool, work, { repeatable: true, signal })),
    )

  return {
    async transaction(work) {
      const how = { provider: PROVIDER, timeoutMs, verdict: passing, reason: shortReason }
      try {
        return await patientCall(wait(), how, (signal) => attempt(work, signal))
      } catch (error) {
        throw isAway(error)
          ? new SluiceError(error.code, { ...error.facts, stage: 'store' }, { cause: error })
          : error
      }
    },
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

/** What callers are told of a server that cannot be reached, does not answer, or takes no more connections. */
function lostFailure(lost: ConnectionLost, { connectMs, statementMs }: typeof LIMITS): SluiceError {
  const chain = errorChain(lost)
  const says = (pattern: RegExp) => chain.some(({ message }) => pattern.test(message))
  if (says(/time(d )?out/i)) {
    const seconds = Math.round((says(/^Query/) ? statementMs : connectMs) / 1000)
    return new SluiceError('provider_timeout', { provider: PROVIDER, seconds }, { cause: lost })
  }
  const last = reasonOf(chain.at(-1))
  const known = callFailure(PROVIDER, lost, connectMs / 1000)
  if (known instanceof SluiceError && known.facts.reason !== last) return known
  return new NetworkError(PROVIDER, says(/terminated|not queryable/) ? CUT : last, { cause: lost })
}

/** In place of messages of the client. */
const CUT = 'the connection was cut'

const passing = (error: unknown): RetryDecision => (isAway(error) ? {} : undefined)

const isAway = (error: unknown): error is SluiceError =>
  error instanceof NetworkError || (error instanceof SluiceError && error.code === 'provider_timeout')

/** Why a call is made again, for the progress of a job. */
const shortReason = (error: unknown): string =>
  error instanceof NetworkError ? String(error.facts.reason) : 'no answer'
