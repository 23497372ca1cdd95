import type { ClientBase } from 'pg'
import { isDeepStrictEqual } from 'node:util'
import { SluiceError } from '../../kit/errors.ts'
import type { PostgresPool } from './pool.ts'
import { askClient, type SqlSession } from './session.ts'

/** How often two connections are compared: a busy pooler may give them different servers by chance. */
const COMPARISONS = 8

/**
 * Refuses a connection pooler that lends a server to one transaction at a time. There, locks and notifications of a connection
 * belong to another one at the next moment. A direct connection, and a pooler in session mode, pass.
 *
 * @param setting which has the address
 * @throws SluiceError `database_pooled`
 */
export async function refusePooler(pool: PostgresPool, setting: string): Promise<void> {
  await pool.use(async (one) => {
    if ((await serverOf(one)) === announced(one)) return
    await pool.use(async (two) => {
      for (let n = 0; n < COMPARISONS; n++)
        if ((await serverOf(one)) === (await serverOf(two)))
          throw new SluiceError('database_pooled', { setting })
    })
  })
}

/**
 * Refuses a direct address that leads elsewhere: locks there would protect nothing.
 *
 * @throws SluiceError `database_unfit`
 */
export async function refuseOtherDatabase(pooled: SqlSession, direct: SqlSession): Promise<void> {
  const find = (sql: SqlSession) =>
    sql.get(
      'SELECT oid, pg_postmaster_start_time()::text AS started FROM pg_database WHERE datname = current_database()',
    )
  if (isDeepStrictEqual(await find(pooled), await find(direct))) return
  throw new SluiceError('database_unfit', { reason: 'DATABASE_DIRECT_URL leads to another database' })
}

/** The process of the server that serves a connection at this moment. */
async function serverOf(client: ClientBase): Promise<number> {
  const { rows } = await askClient(client, 'SELECT pg_backend_pid() AS pid', [])
  return (rows[0] as { pid: number }).pid
}

/** The process that the other end has named when the connection began; a pooler names none of the server. */
const announced = (client: ClientBase): number | undefined =>
  (client as ClientBase & { processID?: number }).processID
