import type { PoolClient } from 'pg'
import { untilAborted } from '../../kit/until-aborted.ts'
import type { PostgresPool } from './pool.ts'

/**
 * Lends a connection until a signal aborts. It is closed then: a server that is silent would never give it back.
 *
 * @throws the reason of the signal, at once; what {@link PostgresPool.use} throws
 */
export const useUntil = <T>(
  pool: Pick<PostgresPool, 'use'>,
  signal: AbortSignal,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> =>
  untilAborted(
    signal,
    pool.use(async (client) => {
      signal.throwIfAborted()
      // Fails the statement that waits for its answer.
      const cut = () => void closing(client).catch(() => {})
      signal.addEventListener('abort', cut, { once: true })
      try {
        return await work(client)
      } finally {
        signal.removeEventListener('abort', cut)
      }
    }),
  )

/** What the types of the pool leave out. */
const closing = async (client: PoolClient & { end?(): Promise<void> }): Promise<void> => client.end?.()
