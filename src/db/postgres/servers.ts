import { setTimeout as wait } from 'node:timers/promises'
import { SluiceError } from '../../kit/errors.ts'
import type { PostgresDatabase } from './database.ts'
import { SERVER_PROGRAM } from './program.ts'

/** PostgreSQL ends the sessions of a server that has stopped a moment after it. */
const AFTER_STOP = { looks: 10, milliseconds: 200 }

/**
 * Refuses work that needs a database without servers. It finds servers that use the same account of PostgreSQL, and give no
 * other `application_name` in their address.
 *
 * @throws SluiceError `database_in_use`
 */
export async function refuseServers({ reader }: PostgresDatabase): Promise<void> {
  for (let look = 1; ; look++) {
    const row = await reader.get<{ places: string | null }>(
      `SELECT string_agg(DISTINCT coalesce(host(client_addr), 'this machine'), ', ') AS places
       FROM pg_stat_activity
       WHERE datname = current_database() AND (application_name = $1 OR starts_with(application_name, $1 || ' '))`,
      SERVER_PROGRAM,
    )
    const { places } = row!
    if (places === null) return
    if (look === AFTER_STOP.looks) throw new SluiceError('database_in_use', { places })
    await wait(AFTER_STOP.milliseconds)
  }
}
