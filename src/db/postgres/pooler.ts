import type { ClientBase } from 'pg'
import { SluiceError } from '../../kit/errors.ts'
import type { PostgresPool } from './pool.ts'
import { askClient } from './session.ts'

/** How often two connections are compared: a busy pooler may give them different servers by chance. */
const COMPARISONS = 8

/**
 * Refuses a connection pooler that lends a server to one transaction at a time. There, locks and notifications of a connection
 * belong to another one at the next moment. A direct connection, and a pooler in session mode, pass.
 *
 * @throws SluiceError `database_pooled`
 */
export async function refusePooler(pool: PostgresPool): Promise<void> {
  await pool.use(async (one) => {
    if ((await serverOf(one)) === announced(one)) return
    await pool.use(async (two) => {
      for (let n = 0; n < COMPARISONS; n++)
        if ((await serverOf(one)) === (await serverOf(two))) throw new SluiceError('database_pooled')
    })
  })
}

/** The process of the server that serves a connection at this moment. */
async function serverOf(client: ClientBase): Promise<number> {
  const { rows } = await askClient(client, 'SELECT pg_backend_pid() AS pid', [])
  return (rows[0] as { pid: number }).pid
}

/** The process that the other end has named when the connection began; a pooler names none of the server. */
const announced = (client: ClientBase): number | undefined =>
  (client as ClientBase & { processID?: number }).processID
