import type { Config } from '../kit/config.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import { buildEventApp } from './app.ts'
import { watchConnections } from './drain.ts'

const DEFAULT_PORT = 5566

/** How long requests under way may take once the service is told to stop. */
const GRACE_MS = 5000

export type EventAddress = { host: string; port: number }

/** Where the event service listens by the settings: `HOST`, and `PORT` or else 5566. */
export function eventAddress(config: Pick<Config, 'HOST' | 'PORT'>): EventAddress {
  return { host: config.HOST, port: config.PORT ?? DEFAULT_PORT }
}

/**
 * Starts the event service with its five events. Port 0 takes a free one; `url` says which.
 *
 * `close` stops listening, lets the requests under way finish, and cuts off what is not done after five seconds.
 *
 * @throws SluiceError `port_taken`, `address_unusable`
 */
export async function startEvents(
  options: EventAddress & { log: Log },
): Promise<{ url: string; close(): Promise<void> }> {
  const { host, port, log } = options
  const app = buildEventApp({ log })
  const drain = watchConnections(app.server)
  let url: string
  try {
    url = await app.listen({ host, port })
  } catch (error) {
    await app.close()
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new SluiceError('port_taken', { host, port }, { cause: error })
    throw new SluiceError('address_unusable', { host, port, reason: reasonOf(error) }, { cause: error })
  }
  log.info('events-listening', { url })
  return {
    url,
    async close() {
      const closed = app.close()
      drain(GRACE_MS)
      await closed
      log.info('events-closed', { url })
    },
  }
}
