import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { asSluiceError, causesOf } from '../../kit/as-sluice-error.ts'
import type { SluiceError } from '../../kit/errors.ts'
import { failureFacts } from '../../kit/failure-facts.ts'
import type { Log } from '../../kit/log.ts'
import { maskedError } from '../../kit/masked-error.ts'
import type { SecretMask } from '../../kit/secret-mask.ts'
import { trailOf } from '../request-trail.ts'

/** How often a comment is sent while there are no events: proxies close silent connections. */
const HEARTBEAT_MS = 30_000

/** How long a client may read nothing of the stream. After that its connection is closed. */
const STALLED_MS = 120_000

/** Sends text. Waits for a slow client, but not for one that has left. */
export type SendText = (text: string) => Promise<void>

export type StreamFormat = {
  heartbeat: string
  /** The text for a failure or a stopped answer (`cancelled`), and the end of the stream. */
  failed(error: SluiceError): string
}

export type StreamTarget = {
  reply: FastifyReply
  gone: AbortSignal
  log: Log
  /** Masks secrets in the failure. */
  mask: SecretMask
}

/**
 * Answers with a stream of server-sent events that `produce` writes. Headers are sent at once. If `produce` fails, the
 * stream ends with the text of the failure.
 */
export async function sendStream(
  { reply, gone, log, mask }: StreamTarget,
  format: StreamFormat,
  produce: (send: SendText) => Promise<void>,
): Promise<FastifyReply> {
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    // Asks proxies not to buffer the answer.
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  raw.flushHeaders()
  const heartbeat = setInterval(() => raw.write(format.heartbeat), HEARTBEAT_MS)
  try {
    await produce((text) => write(raw, text, gone))
  } catch (error) {
    const trail = trailOf(reply.request)
    const failure = maskedError(asSluiceError(error, log, trail), mask)
    if (failure.status >= 500)
      log.error('stream-failed', { ...trail, ...failureFacts(failure), causes: causesOf(failure) })
    raw.write(format.failed(failure))
  } finally {
    clearInterval(heartbeat)
    raw.end()
  }
  return reply
}

async function write(raw: ServerResponse, text: string, gone: AbortSignal): Promise<void> {
  if (text === '' || raw.write(text) || gone.aborted) return
  const stalled = setTimeout(() => raw.destroy(), STALLED_MS)
  await once(raw, 'drain', { signal: gone }).catch(() => {})
  clearTimeout(stalled)
}
