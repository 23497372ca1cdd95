import { setTimeout as pause } from 'node:timers/promises'
import { SluiceError } from '../../kit/errors.ts'

/** The key of the lock that the server of a database holds: "server" in ASCII. */
const LOCK = 0x73_65_72_76_65_72

/** How long a start waits for the server before it to end, and how often it looks, in milliseconds. */
const WAIT = { longestMs: 10_000, everyMs: 200 }

/**
 * Makes this process the only server of a database, as long as its connection lasts: jobs are still run by the server that took
 * them. Returns what gives the database back.
 *
 * @param address as in DATABASE_URL
 * @throws SluiceError `database_shared` where another server runs, and does not end within some seconds
 */
export async function becomeOnlyServer(
  address: string,
  { longestMs, everyMs } = WAIT,
): Promise<() => Promise<void>> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: address,
    fallback_application_name: 'sluice server',
    keepAlive: true,
  })
  // What the loss of the lock allows, the fence of the runs keeps from doing harm.
  client.on('error', () => {})
  await client.connect()
  const release = async () => void (await client.end().catch(() => {}))
  for (const began = performance.now(); ; ) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      LOCK,
    ])
    if (rows[0]!.taken) return release
    if (performance.now() - began > longestMs) {
      await release()
      throw new SluiceError('database_shared')
    }
    await pause(everyMs)
  }
}
