import { SluiceError } from '../../kit/errors.ts'
import { applySchema, type SchemaStep } from './migrations.ts'
import { limitsOf, openPool, type PoolFigures, type PoolLimits, type PostgresPool } from './pool.ts'
import { refuseOtherDatabase, refusePooler } from './pooler.ts'
import type { SqlDatabase, SqlSession } from '../sql/session.ts'
import { SCHEMA } from './schema/schema.ts'
import { askClient, sessionOf } from './session.ts'
import { inTransaction, oneStatement, report, type RunTransaction } from './transaction.ts'

/** The oldest version that is accepted, as `server_version_num` has it. */
const OLDEST_VERSION = 140_000

/** A PostgreSQL database with the tables of this program. */
export type PostgresDatabase = {
  /** Single statements that change nothing. They are asked again after a lost connection. */
  reader: SqlSession
  /** Single statements that change something. Where the answer is lost, they fail with `database_answer_lost`. */
  writer: SqlSession
  /** Runs work in a transaction, see {@link inTransaction}. */
  transaction: RunTransaction
  /** One view of the database for all that `work` reads. It is read again after a lost connection. */
  snapshot<T>(work: (session: SqlSession) => Promise<T>): Promise<T>
  /** What repositories use of it that are the same for both databases. */
  readonly sql: SqlDatabase
  /** Whether it answers and takes changes, within three seconds. @throws SluiceError `database_unreachable`, `database_read_only`, `database_unfit` */
  check(): Promise<void>
  /** Its connections at this moment. */
  connections(): PoolFigures
  close(): Promise<void>
}

/**
 * - `direct`: the address of the same database without a pooler, as in DATABASE_DIRECT_URL. All transactions go to `address` then, which
 *   may be a pooler in transaction mode.
 * - `steps`: the schema; the one of this program unless given.
 * - `program`: as of {@link openPool}.
 */
export type PostgresOptions = {
  direct?: string | undefined
  limits?: PoolLimits
  steps?: readonly SchemaStep[]
  program?: string
}

/**
 * Opens a database and brings its schema to the present version.
 *
 * @param address as in DATABASE_URL
 * @throws SluiceError `database_unreachable`, `database_unfit`, `database_pooled`, `schema_newer`
 */
export async function openPostgres(
  address: string,
  { direct, limits = {}, steps = SCHEMA, program }: PostgresOptions = {},
): Promise<PostgresDatabase> {
  const pool = await openPool(direct ?? address, limits, program)
  const database = databaseOf(pool)
  try {
    await refuseUnfit(database.reader)
    await refusePooler(pool, direct === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL')
    await applySchema(database.transaction, steps)
    if (direct === undefined) return database
    const pooled = databaseOf(await openPool(address, limits, program, await limitsOf(database.reader)))
    try {
      await refuseOtherDatabase(pooled.reader, database.reader)
    } catch (error) {
      await pooled.close()
      throw error
    }
    await pool.close()
    return pooled
  } catch (error) {
    await pool.close()
    throw error
  }
}

function databaseOf(pool: PostgresPool): PostgresDatabase {
  const statements = (repeatable: boolean) =>
    sessionOf((sql, values) => oneStatement(pool, (client) => askClient(client, sql, values), repeatable))
  const [reader, writer] = [statements(true), statements(false)]
  const transaction: RunTransaction = (work, options) => inTransaction(pool, work, options)
  const snapshot: SqlDatabase['snapshot'] = (work) =>
    transaction(work, { isolation: 'REPEATABLE READ', repeatable: true })
  return {
    reader,
    writer,
    transaction,
    snapshot,
    sql: {
      reader,
      snapshot,
      write: ({ name, run, isOneStatement, repeatable = false }, request) =>
        isOneStatement
          ? run(once(writer, name), request)
          : transaction((session) => run(session, request), { repeatable }),
    },
    check: () => pool.check().catch(report),
    connections: () => pool.figures(),
    close: () => pool.close(),
  }
}

/** A session for a single statement: of several, without a transaction, some could be done and others not. */
function once(session: SqlSession, write: string): SqlSession {
  let isUsed = false
  const first =
    <Arguments extends unknown[], Result>(ask: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      if (isUsed) throw new Error(`the write ${write} has more than one statement`)
      isUsed = true
      return ask(...given)
    }
  return {
    dialect: session.dialect,
    all: first(session.all) as SqlSession['all'],
    get: first(session.get) as SqlSession['get'],
    run: first(session.run),
  }
}

/** @throws SluiceError `database_unfit` for a server that is too old, stores other texts than Unicode, or takes no changes */
async function refuseUnfit(reader: SqlSession): Promise<void> {
  const server = await reader.get<{ version: string; encoding: string; standby: boolean }>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
       pg_is_in_recovery() AS standby`,
  )
  const { version, encoding, standby } = server!
  const reason =
    Number(version) < OLDEST_VERSION
      ? `it has version ${Math.floor(Number(version) / 10_000)}, and ${OLDEST_VERSION / 10_000} is the oldest that works`
      : encoding !== 'UTF8'
        ? `the encoding of the database is ${encoding}; it must be UTF8`
        : standby
          ? 'it is a standby, which takes no changes'
          : undefined
  if (reason !== undefined) throw new SluiceError('database_unfit', { reason })
}
