import type { ClientBase } from 'pg'
import { SluiceError } from '../../kit/errors.ts'
import { retry } from '../../kit/retry.ts'
import { ConnectionLost, isRolledBack, isTooSlow, ReadOnlyServer } from './failures.ts'
import type { PostgresPool } from './pool.ts'
import { askClient, copyBytes, copyRows, sessionOf, type SqlTransaction } from './session.ts'
import { useUntil } from './use-until.ts'

/**
 * - `repeatable`: the work may be done twice, so it is repeated even where its first commit may have succeeded.
 * - `limitMs`: how long one statement may take, in milliseconds; as for all others unless given.
 * - `isolation`: what the work sees; by default each statement sees what was committed before it began.
 * - `signal`: ends the work by closing its connection. Who gives one decides what follows a lost connection: the work is not repeated here.
 */
export type TransactionOptions = {
  repeatable?: boolean
  limitMs?: number
  isolation?: 'REPEATABLE READ' | 'SERIALIZABLE'
  signal?: AbortSignal
}

/** {@link inTransaction} of one database. */
export type RunTransaction = <T>(
  work: (session: SqlTransaction) => Promise<T>,
  options?: TransactionOptions,
) => Promise<T>

/** How often work is tried, and the shortest waits between, in milliseconds: about three seconds together. */
const ATTEMPTS = { attempts: 7, baseMs: 50, maxMs: 1500 }

/** How much longer than the server the client waits, in milliseconds. */
const CLIENT_WAITS_MS = 1000

/** How long the client waits for a COPY of a transaction without a limit of its own, in milliseconds. */
const COPY_MS = 5000

/** After how many seconds a client may try again where the database is away. */
const RETRY_AFTER = 2

/** The commit was sent and not answered. */
class CommitUnanswered extends Error {}

/**
 * Runs work in a transaction. It is done again after a conflict with other transactions, and after a lost connection unless
 * the commit had been sent already: so the work must change nothing but the database.
 *
 * @throws SluiceError `database_unreachable`, `database_read_only`, `database_busy`, `database_answer_lost`; what `work` throws
 */
export async function inTransaction<T>(
  pool: PostgresPool,
  work: (session: SqlTransaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { signal, repeatable = false } = options
  const begin = (client: ClientBase) => once(client, work, { ...options, limits: pool.limits })
  if (!signal) return repeat(() => pool.use(begin), repeatable)
  return retry(() => useUntil(pool, signal, begin), {
    ...{ ...ATTEMPTS, signal },
    verdict: (error) => (isRolledBack(error) ? {} : undefined),
  }).catch(report)
}

/**
 * Runs one statement without a transaction around it; with one, where that is how its limits are set.
 *
 * @param repeatable as of {@link TransactionOptions}; true for what only reads
 */
export async function oneStatement<T>(
  pool: PostgresPool,
  ask: (client: ClientBase) => Promise<T>,
  repeatable: boolean,
): Promise<T> {
  const attempt = () =>
    pool.use(async (client) => {
      const { limits } = pool
      if (limits !== undefined) return once(client, () => ask(client), { limits })
      try {
        return await ask(client)
      } catch (error) {
        throw isLost(error) ? unanswered(error) : error
      }
    })
  return repeat(attempt, repeatable)
}

function repeat<T>(attempt: () => Promise<T>, repeatable: boolean): Promise<T> {
  const isSafe = (error: unknown) =>
    isRolledBack(error) || (error instanceof ConnectionLost && (repeatable || !isUnanswered(error)))
  return retry(attempt, { ...ATTEMPTS, verdict: (error) => (isSafe(error) ? {} : undefined) }).catch(report)
}

async function once<T>(
  client: ClientBase,
  work: (session: SqlTransaction) => Promise<T>,
  { limitMs, isolation, limits }: TransactionOptions & { limits: string | undefined },
): Promise<T> {
  const clientMs = limitMs === undefined ? undefined : limitMs + CLIENT_WAITS_MS
  const ask = (sql: string) => askClient(client, sql, [], clientMs)
  const begin = isolation ? `BEGIN ISOLATION LEVEL ${isolation}` : 'BEGIN'
  const longer = `SET LOCAL statement_timeout = ${limitMs}; SET LOCAL lock_timeout = ${limitMs}`
  const statements = [begin, limits, limitMs === undefined ? undefined : longer]
  await ask(statements.filter((statement) => statement !== undefined).join('; '))
  let result: T
  try {
    result = await work({
      ...sessionOf((sql, values) => askClient(client, sql, values, clientMs)),
      copyIn: (target, rows) => copyRows(client, target, rows),
      copyOut: (query) => copyBytes(client, query, clientMs ?? COPY_MS),
    })
  } catch (error) {
    if (!(error instanceof ConnectionLost)) await ask('ROLLBACK')
    throw error
  }
  const { command } = (await ask('COMMIT').catch((error: unknown) => {
    throw error instanceof ConnectionLost ? unanswered(error) : error
  })) as { command?: string }
  // The server answers so where a statement failed, and the work went on all the same.
  if (command === 'ROLLBACK') throw new Error('The transaction was rolled back: one of its statements failed')
  return result
}

/** Whether it is unknown what became of a statement. */
const isLost = (error: unknown): error is ConnectionLost =>
  error instanceof ConnectionLost && !(error instanceof ReadOnlyServer)

const unanswered = (cause: ConnectionLost): ConnectionLost =>
  new ConnectionLost(new CommitUnanswered(cause.message, { cause }))

const isUnanswered = (error: unknown): boolean =>
  error instanceof ConnectionLost && error.cause instanceof CommitUnanswered

/** Throws a failure of this room as one of the product. */
export function report(error: unknown): never {
  if (isUnanswered(error)) throw new SluiceError('database_answer_lost', {}, { cause: error })
  if (error instanceof ReadOnlyServer)
    throw new SluiceError('database_read_only', { retryAfter: RETRY_AFTER }, { cause: error })
  if (error instanceof ConnectionLost)
    throw new SluiceError(
      'database_unreachable',
      { reason: error.message, retryAfter: RETRY_AFTER },
      { cause: error },
    )
  if (isRolledBack(error) || isTooSlow(error))
    throw new SluiceError('database_busy', { reason: (error as Error).message }, { cause: error })
  throw error
}
