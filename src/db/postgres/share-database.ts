import { setTimeout as pause } from 'node:timers/promises'
import { SluiceError } from '../../kit/errors.ts'

/** The key of the lock that the servers of a database hold: "server" in ASCII. */
const LOCK = 0x73_65_72_76_65_72

/** How long a start waits for the servers before it to end, and how often it looks, in milliseconds. */
const WAIT = { longestMs: 10_000, everyMs: 200 }

/**
 * Joins the servers of a database, as long as this connection lasts. Servers with a bucket for their files share it. One whose files are
 * in its data directory must be the only one: no other could read them. Returns what leaves the database.
 *
 * @param address as in DATABASE_URL
 * @throws SluiceError `database_shared` where servers run that this one cannot share with, and do not end within some seconds
 */
export async function shareDatabase(
  address: string,
  hasBucket: boolean,
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
  const ask = `SELECT pg_try_advisory_lock${hasBucket ? '_shared' : ''}($1) AS taken`
  for (const began = performance.now(); ; ) {
    const { rows } = await client.query<{ taken: boolean }>(ask, [LOCK])
    if (rows[0]!.taken) return release
    if (performance.now() - began > longestMs) {
      await release()
      throw new SluiceError('database_shared')
    }
    await pause(everyMs)
  }
}
