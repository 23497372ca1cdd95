import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** A proxy that gives each request to the next of several servers, as a load balancer does. */
export function roundRobin(urls: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0
  return proxyTo(() => urls[turn++ % urls.length]!)
}

/**
 * A proxy that repeats nothing.
 *
 * @param choose the server of the next request; undefined where there is none, which is answered with 502
 */
export async function proxyTo(
  choose: () => string | undefined,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const target = choose()
    if (target === undefined) return void outgoing.writeHead(502).end()
    pass(incoming, outgoing, new URL(target)).catch(() => outgoing.destroy())
  })
  // As that of the product: the side that sends requests has to be the one that closes idle connections.
  server.keepAliveTimeout = 72_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, target: URL): Promise<void> {
  const sent = forward({
    host: target.hostname,
    port: target.port,
    method: incoming.method,
    path: incoming.url,
    headers: incoming.rawHeaders,
  })
  // A client that leaves ends the request behind it too.
  outgoing.on('close', () => sent.destroy())
  sent.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.statusMessage, answer.rawHeaders)
    pipeline(answer, outgoing).catch(() => outgoing.destroy())
  })
  const failed = once(sent, 'close')
  // Where the body cannot be passed on, nothing waits for it.
  failed.catch(() => {})
  sent.on('error', () => outgoing.destroy())
  await pipeline(incoming, sent)
  await failed
}
