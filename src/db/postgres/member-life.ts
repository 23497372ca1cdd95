import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { MEMBER_LOCK } from './leases.ts'

/** The channel of all rings. */
export const CHANNEL = 'sluice'

/** How long a process waits before it connects again, in milliseconds. */
const RECONNECT_MS = 200

/** How much earlier than the others a member takes itself for dead, in milliseconds. */
const EARLIER_MS = 500

/** How often a member looks whether it has been silent for too long, in milliseconds. */
const WATCH_MS = 100

/** One connection by which others see that this member is alive, and its id. */
export type MemberLife = {
  readonly id: number
  /** Aborts when the connection is lost, or the member could not say in time that it is alive. */
  readonly lost: AbortSignal
  /** Ends this life: the next one has another id, and no leases. */
  end(): void
}

export type MemberLifeOptions = {
  /** As in DATABASE_URL. */
  address: string
  name: string
  /** After how long without a word others take a member for dead, in milliseconds. */
  deadAfterMs: number
  beatMs: number
  /** A life has begun. */
  onLife(life: MemberLife): void
  onRing(topic: string): void
  /** A connection could not be made, or has ended. */
  onLost(error: unknown): void
  /** At the beginning of a life, and after each beat. */
  onBeat(life: MemberLife): void
}

/** Lives until `signal` aborts: connects, and connects again as another member whenever the connection is lost. */
export async function liveAsMember(options: MemberLifeOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await oneLife(options, signal).catch((error: unknown) => {
      if (!signal.aborted) options.onLost(error)
    })
    await pause(RECONNECT_MS, undefined, { signal }).catch(() => {})
  }
}

async function oneLife(options: MemberLifeOptions, stop: AbortSignal): Promise<void> {
  const { address, name, deadAfterMs, beatMs, onLife, onRing, onBeat } = options
  const { default: pg } = await import('pg')
  const id = randomInt(1, 2 ** 31)
  const lost = new AbortController()
  const end = (reason: string) => lost.abort(new Error(reason))
  const stopNow = () => end('the process stops')
  const client = new pg.Client({
    connectionString: address,
    fallback_application_name: `sluice ${name}`,
    connectionTimeoutMillis: deadAfterMs,
    query_timeout: deadAfterMs / 2,
    keepAlive: true,
  })
  client.on('error', (error) => lost.abort(error))
  client.on('end', () => end('the connection was closed'))
  client.on('notification', ({ payload }) => onRing(payload ?? ''))
  let watch: NodeJS.Timeout | undefined
  stop.addEventListener('abort', stopNow)
  try {
    await client.connect()
    // Where this machine vanishes, the server notices by itself.
    await client.query(
      'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3',
    )
    await client.query('SELECT pg_advisory_lock($1, $2)', [MEMBER_LOCK, id])
    await client.query(`LISTEN ${CHANNEL}`)
    let beatAt = performance.now()
    // It runs in the first moment after a process was frozen.
    watch = setInterval(() => {
      if (performance.now() - beatAt > deadAfterMs - EARLIER_MS)
        end('it could not say in time that it is alive')
    }, WATCH_MS).unref()
    await client.query('INSERT INTO nodes (id, name) VALUES ($1, $2)', [id, name])
    const life = { id, lost: lost.signal, end: () => end('an answer about a lease was lost') }
    onLife(life)
    while (!lost.signal.aborted) {
      onBeat(life)
      await pause(beatMs, undefined, { signal: lost.signal })
      const sentAt = performance.now()
      const { rowCount } = await client.query('UPDATE nodes SET seen = clock_timestamp() WHERE id = $1', [id])
      if (rowCount === 0) throw new Error('other members took it for dead')
      beatAt = sentAt
    }
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error
  } finally {
    stop.removeEventListener('abort', stopNow)
    clearInterval(watch)
    end('the connection was closed')
    if (stop.aborted) await client.query('DELETE FROM nodes WHERE id = $1', [id]).catch(() => {})
    await Promise.race([client.end().catch(() => {}), pause(RECONNECT_MS)])
    // Where the line is silent, the end was not answered.
    client.connection.stream.destroy()
  }
}
