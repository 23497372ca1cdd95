import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { clientGone } from './client-gone.ts'

/** An event of a stream (WHATWG HTML, "Server-sent events"); a client that resumes names the last `id` it saw. */
export type ServerEvent = { id: string; event: string; data: object }

/** How often a silent stream shows that it is alive: proxies cut silent connections, often after 30 seconds. */
const HEARTBEAT_MS = 15_000

/** How long a client waits before it comes back. */
const RETRY_MS = 1000

/**
 * Sends events as they come and ends with them. A client that goes away, or a server that stops, aborts the signal
 * that `events` is given.
 */
export function sendEvents(
  reply: FastifyReply,
  stopping: AbortSignal,
  events: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
): FastifyReply {
  const stream = new PassThrough()
  const signal = AbortSignal.any([clientGone(reply), stopping])
  const heartbeat = setInterval(() => stream.write(': still here\n\n'), HEARTBEAT_MS)

  async function write(): Promise<void> {
    stream.write(`retry: ${RETRY_MS}\n\n`)
    for await (const { id, event, data } of events(signal)) {
      // JSON text has no line breaks: one line of data holds it all.
      const room = stream.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      if (!room && !signal.aborted) await once(stream, 'drain', { signal })
    }
  }
  write()
    .catch((error: Error) => {
      if (!signal.aborted) stream.destroy(error)
    })
    .finally(() => {
      clearInterval(heartbeat)
      stream.end()
    })
  // Proxies that gather an answer before they pass it on are asked not to.
  return reply
    .headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    .send(stream)
}
