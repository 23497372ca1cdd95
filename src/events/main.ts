import type { Config } from '../kit/config.ts'
import type { Log } from '../kit/log.ts'
import { type Served, serve } from '../kit/serve.ts'
import { buildEventApp } from './app.ts'

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
export async function startEvents({ host, port, log }: EventAddress & { log: Log }): Promise<Served> {
  const { url, close } = await serve(buildEventApp({ log }), { host, port }, GRACE_MS)
  log.info('events-listening', { url })
  return {
    url,
    async close() {
      await close()
      log.info('events-closed', { url })
    },
  }
}
