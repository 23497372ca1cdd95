import type { Config } from '../kit/config.ts'
import type { Log } from '../kit/log.ts'
import { type Served, serve } from '../kit/serve.ts'
import { buildEventApp } from './app.ts'

const DEFAULT_PORT = 5566

/** How long running requests may take after the service begins to stop, in milliseconds. */
const GRACE_MS = 5000

export type EventAddress = { host: string; port: number }

/** The address at which the event service listens: `HOST`, and `PORT` or 5566. */
export function eventAddress(config: Pick<Config, 'HOST' | 'PORT'>): EventAddress {
  return { host: config.HOST, port: config.PORT ?? DEFAULT_PORT }
}

/**
 * Starts the event service with its five events. With port 0 it listens on a free port, which `url` contains.
 *
 * `close` stops listening, waits for running requests, and ends those that take longer than five seconds.
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
