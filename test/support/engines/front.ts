import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Certified } from '../certificates.ts'

export type Front = {
  url: string
  /** How many calls have come, also those that were refused. */
  calls(): number
  close(): void
}

/** What stands before the server answers by itself; it returns false for a call that passes. */
export type Answering = (from: IncomingMessage, to: ServerResponse, body: string) => boolean

/**
 * A server before another one, which passes calls on as they are. It does not keep the process running.
 *
 * @param certified it speaks TLS with this certificate
 */
export async function startFront(
  url: string,
  { answer = () => false, certified }: { answer?: Answering; certified?: Certified } = {},
): Promise<Front> {
  let calls = 0
  const listener = async (from: IncomingMessage, to: ServerResponse) => {
    calls++
    const body = await text(from)
    if (answer(from, to, body)) return
    const passed = request(
      `${url}${from.url}`,
      { method: from.method, headers: from.headers },
      (answered) => {
        to.writeHead(answered.statusCode!, answered.headers)
        answered.pipe(to)
      },
    )
    passed.on('error', () => to.destroy())
    to.on('close', () => passed.destroy())
    passed.end(body)
  }
  const server = certified
    ? createTlsServer({ key: certified.key, cert: certified.certificate }, listener)
    : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    url: `${certified ? 'https' : 'http'}://127.0.0.1:${port}`,
    calls: () => calls,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** An answer in JSON. */
export const replies = (to: ServerResponse, status: number, body: unknown): true => {
  to.writeHead(status, { 'content-type': 'application/json' })
  to.end(JSON.stringify(body))
  return true
}
