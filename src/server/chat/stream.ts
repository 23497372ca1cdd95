import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { asSluiceError, causesOf } from '../../kit/as-sluice-error.ts'
import type { SluiceError } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import { trailOf } from '../request-trail.ts'

/** How often a silent stream shows that it is alive. */
const HEARTBEAT_MS = 30_000

/** How long a client may take nothing of what is sent: after that it counts as gone, though it holds the line. */
const PATIENCE_MS = 120_000

/** Sends text; resolves when there is room for more. A reader that is slow is waited for, one that is gone is not. */
export type SendText = (text: string) => Promise<void>

export type StreamFormat = {
  heartbeat: string
  /** What the client reads of a failure, or of having been stopped (`cancelled`), and the end of the stream. */
  failed(error: SluiceError): string
}

/**
 * Answers with a stream of server-sent events that `tell` writes; its headers go out at once. However `tell` ends, the
 * stream has an end that the client can read.
 */
export async function sendStream(
  { reply, gone, log }: { reply: FastifyReply; gone: AbortSignal; log: Log },
  form: StreamFormat,
  tell: (say: SendText) => Promise<void>,
): Promise<FastifyReply> {
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    // Proxies that gather an answer before they pass it on are asked not to.
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  raw.flushHeaders()
  const heartbeat = setInterval(() => raw.write(form.heartbeat), HEARTBEAT_MS)
  try {
    await tell((text) => write(raw, text, gone))
  } catch (error) {
    const trail = trailOf(reply.request)
    const failure = asSluiceError(error, log, trail)
    if (failure.status >= 500)
      log.error('stream-failed', { ...trail, code: failure.code, causes: causesOf(failure) })
    raw.write(form.failed(failure))
  } finally {
    clearInterval(heartbeat)
    raw.end()
  }
  return reply
}

async function write(raw: ServerResponse, text: string, gone: AbortSignal): Promise<void> {
  if (text === '' || raw.write(text) || gone.aborted) return
  const stalled = setTimeout(() => raw.destroy(), PATIENCE_MS)
  await once(raw, 'drain', { signal: gone }).catch(() => {})
  clearTimeout(stalled)
}
