import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** A proxy that gives each request to the next of several servers, as a load balancer does. */
export async function roundRobin(urls: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const target = new URL(urls[turn++ % urls.length]!)
    pass(incoming, outgoing, target).catch(() => outgoing.destroy())
  })
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
  sent.on('error', () => outgoing.destroy())
  await pipeline(incoming, sent)
  await failed
}
