import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** An event of a stream (WHATWG HTML, "Server-sent events"); a client resumes after the last `id` that it received. */
export type SentEvent = { id: string; event: string; data: object }

/** How often a comment is sent while there are no events: proxies close silent connections, often after 30 seconds. */
const HEARTBEAT_MS = 15_000

/** How long a client waits before it reconnects. */
const RETRY_MS = 1000

/**
 * Answers with a stream of events that ends with the last of them.
 *
 * @param signal aborts when the client leaves or the server stops; `events` must end with it
 */
export function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<SentEvent>,
  signal: AbortSignal,
): FastifyReply {
  const stream = new PassThrough()
  const heartbeat = setInterval(() => stream.write(': heartbeat\n\n'), HEARTBEAT_MS)

  async function write(): Promise<void> {
    stream.write(`retry: ${RETRY_MS}\n\n`)
    for await (const { id, event, data } of events) {
      // JSON text has no line breaks, so one `data` line is enough.
      const hasRoom = stream.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      if (!hasRoom && !signal.aborted) await once(stream, 'drain', { signal })
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
  return reply
    .headers({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // Asks proxies not to buffer the answer.
      'x-accel-buffering': 'no',
    })
    .send(stream)
}
