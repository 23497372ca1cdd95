import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A call on its way to the S3 server. */
export type PassingCall = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  /** How many calls with this method and path came before. */
  before: number
  /** Answers in place of the server. */
  answer(status: number, code?: string, headers?: Record<string, string>): void
  /** Ends the connection without an answer. */
  cut(): void
  /** Passes the call on, and ends the connection after so many bytes of the answer. */
  passThenCut(bytes: number): void
  /** Passes the call on, and ends the connection instead of the answer. */
  passThenLose(): void
  /** Does not answer. */
  hang(): void
}

/**
 * A proxy before an S3 server that can fail.
 *
 * @param fault decides on each call; without a decision it is passed on
 */
export async function faultyS3(
  t: { after(release: () => void): unknown },
  endpoint: string,
  fault: (call: PassingCall) => void,
) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers'] }[] = []
  const counts = new Map<string, number>()
  /** Bytes of bodies that the proxy has read. */
  const received = { bytes: 0 }
  /** Bytes of answers that it has sent. */
  const sent = { bytes: 0 }
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const path = `${method} ${url.split('?', 1)[0]}`
    const before = counts.get(path) ?? 0
    counts.set(path, before + 1)
    seen.push({ method, url, headers })
    incoming.on('error', () => {})
    let decided = false
    const decide =
      <T extends unknown[]>(act: (...given: T) => void) =>
      (...given: T) => {
        decided = true
        act(...given)
      }
    fault({
      method,
      url,
      headers,
      before,
      answer: decide((status, code = 'Fault', extra = {}) => {
        incoming.resume()
        outgoing.writeHead(status, { 'content-type': 'application/xml', ...extra })
        outgoing.end(
          `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret words</Message></Error>`,
        )
      }),
      cut: decide(() => incoming.socket.destroy()),
      passThenCut: decide((bytes) => void pass(incoming, outgoing, bytes)),
      passThenLose: decide(() => void pass(incoming, outgoing, -1)),
      hang: decide(() => void incoming.resume()),
    })
    if (!decided) await pass(incoming, outgoing, Number.POSITIVE_INFINITY)
  })

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse, bytes: number): Promise<void> {
    try {
      const body = await buffer(incoming)
      received.bytes += body.length
      // The host of the call stays, since it is signed.
      const { connection: _, ...headers } = incoming.headers
      const call = request(new URL(incoming.url!, endpoint), { method: incoming.method, headers })
      call.end(body)
      const [answer] = (await once(call, 'response')) as [IncomingMessage]
      if (bytes < 0) {
        answer.resume()
        return void incoming.socket.destroy()
      }
      outgoing.writeHead(answer.statusCode!, answer.headers)
      let length = 0
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        const room = bytes - length
        length += chunk.length
        sent.bytes += Math.min(chunk.length, room)
        if (!outgoing.write(chunk.subarray(0, Math.min(chunk.length, room)))) await once(outgoing, 'drain')
        if (chunk.length > room) return void setImmediate(() => incoming.socket.destroy())
      }
      outgoing.end()
    } catch {
      incoming.socket.destroy()
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { endpoint: new URL(`http://127.0.0.1:${port}`), seen, received, sent }
}
