import { setTimeout as pause } from 'node:timers/promises'
import { proxyTo } from './round-robin.ts'

/** How often each server is asked, and how long its answer may take, in milliseconds. */
const PROBE = { everyMs: 100, longestMs: 3000 }

/**
 * A proxy that gives requests in turn to those servers whose last `/readyz` was 200, and knows nothing else of them: it repeats no request,
 * and one that a server does not take is lost.
 */
export async function readyProxy(urls: readonly string[]) {
  const servers = urls.map((url) => ({ url, isReady: false }))
  const stop = new AbortController()
  let turn = 0

  async function probe(server: { url: string; isReady: boolean }): Promise<void> {
    while (!stop.signal.aborted) {
      const { url } = server
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(PROBE.longestMs)])
      const isReady = await fetch(`${url}/readyz`, { signal }).then(
        async (answer) => {
          await answer.text()
          return answer.ok
        },
        () => false,
      )
      if (server.url === url) server.isReady = isReady
      await pause(PROBE.everyMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  const probing = Promise.all(servers.map(probe))
  const proxy = await proxyTo(() => {
    const ready = servers.filter(({ isReady }) => isReady)
    return ready[turn++ % ready.length]?.url
  })
  return {
    url: proxy.url,
    ready: (): number => servers.filter(({ isReady }) => isReady).length,
    /** Puts another server in the place of one. */
    replace(place: number, url: string): void {
      servers[place] = Object.assign(servers[place]!, { url, isReady: false })
    },
    async close(): Promise<void> {
      stop.abort()
      await probing
      await proxy.close()
    },
  }
}
