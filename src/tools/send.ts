import { charsetOf, firstBytes } from '../sources/web/body.ts'
import type { Egress } from '../kit/egress/client.ts'
import { NetworkError } from '../kit/egress/network-error.ts'
import { SluiceError } from '../kit/errors.ts'
import { retry, retryAfterMs, type RetryDecision } from '../kit/retry.ts'

/** A call of an HTTP API, ready to be sent. */
export type HttpCall = {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

/** An answer of an HTTP API. */
export type HttpAnswer = {
  status: number
  statusText: string
  headers: Headers
  /** The first bytes of the body, at most {@link MAX_ANSWER_BYTES}. */
  bytes: Uint8Array
  /** Whether `bytes` is the whole body. */
  whole: boolean
  charset: string | undefined
}

export type SendOptions = {
  egress: Egress
  /** Milliseconds for all attempts together. */
  timeoutMs?: number
}

export const MAX_ANSWER_BYTES = 2 ** 20

const TIMEOUT_MS = 30_000
const ATTEMPTS = 3
const MAX_RETRY_MS = 5000

/**
 * Sends a call and returns the answer, whatever its status. Only requests that change nothing (GET, HEAD) are sent
 * again, after a network error or status 503.
 *
 * @throws SluiceError `egress_denied`, `provider_failed`, `provider_timeout`; the reason of `signal`
 */
export async function sendCall(
  call: HttpCall,
  options: SendOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { egress, timeoutMs = TIMEOUT_MS } = options
  const late = AbortSignal.timeout(timeoutMs)
  const limited = egress.limited({ headersMs: timeoutMs, idleMs: timeoutMs, responseBytes: Infinity })
  const attempts = ['GET', 'HEAD'].includes(call.method.toUpperCase()) ? ATTEMPTS : 1
  const ended = AbortSignal.any([signal, late])
  try {
    return await retry(
      async (attempt) => {
        const answer = await once()
        if (answer.status === 503 && attempt < attempts) throw new Unavailable(answer)
        return answer
      },
      { attempts, baseMs: 250, patienceMs: MAX_RETRY_MS, verdict, signal: ended },
    )
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Unavailable) return error.answer
    if (!late.aborted) throw error
    const provider = URL.canParse(call.url) ? new URL(call.url).host : 'the server'
    throw new SluiceError('provider_timeout', { provider, seconds: timeoutMs / 1000 })
  }

  async function once(): Promise<HttpAnswer> {
    const { method, url, headers, body = null } = call
    const response = await limited(url, { method, headers, body, signal: ended })
    const bytes = await firstBytes(response, MAX_ANSWER_BYTES + 1)
    return {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
      bytes: bytes.subarray(0, MAX_ANSWER_BYTES),
      whole: bytes.length <= MAX_ANSWER_BYTES,
      charset: charsetOf(response.headers.get('content-type') ?? ''),
    }
  }
}

/** An answer with status 503. Its `Retry-After` header may give the time until the next attempt. */
class Unavailable extends Error {
  readonly answer: HttpAnswer
  constructor(answer: HttpAnswer) {
    super('the server is temporarily unavailable')
    this.answer = answer
  }
}

function verdict(error: unknown): RetryDecision {
  if (error instanceof NetworkError) return {}
  if (!(error instanceof Unavailable)) return undefined
  return { afterMs: retryAfterMs(error.answer.headers.get('retry-after')) }
}
