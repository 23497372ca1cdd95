import { charsetOf, firstBytes } from '../sources/web/body.ts'
import type { Egress } from '../kit/egress/client.ts'
import { NetworkError } from '../kit/egress/network-error.ts'
import { SluiceError } from '../kit/errors.ts'
import { retry, retryAfterMs, type RetryDecision } from '../kit/retry.ts'
import type { ToolOutcome, HttpExchange, ShownMessage, ShownRequest } from '../contract/tool.ts'
import { secretsSent } from '../kit/egress/secrets-sent.ts'
import { decodeText } from '../formats/decode.ts'
import { sniff } from '../formats/sniff.ts'
import { parseJson, isObject, type Json } from '../kit/json.ts'
import { createSecretMask } from '../kit/secret-mask.ts'
import { SECRET_FIELD } from '../kit/egress/secrets-in-body.ts'
import { MASK, maskAddress } from '../kit/mask-address.ts'

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

/** Sends a call for a model. A failure becomes an outcome with the reason for the model. */
export async function callForModel(
  call: HttpCall,
  sendOptions: SendOptions,
  answerOptions: AnswerOptions,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const startedAt = performance.now()
  const show = (end: CallEnd) => showExchange(call, end, performance.now() - startedAt, answerOptions.secrets)
  try {
    const answer = await sendCall(call, sendOptions, signal)
    const http = [await show({ answer })]
    const secrets = [...(answerOptions.secrets ?? []), ...secretsSent(call.url, call.headers, call.body)]
    return { ...(await describeAnswer(answer, { ...answerOptions, secrets })), http }
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof SluiceError ? error.message : 'the request cannot be sent like this'
    return { ...failedCall(reason), http: [await show({ error: reason })] }
  }
}

/** The outcome of a call that was not sent, or that got no answer. */
export const failedCall = (reason: string): ToolOutcome => ({
  output: `The call did not succeed: ${reason}`,
  failed: true,
})

/** How an answer is presented to a model. */
export type AnswerOptions = {
  /** The most characters of the body; 2,000 by default. */
  maxCharacters?: number
  /** Secrets that are masked if the answer repeats them. */
  secrets?: readonly string[]
  /** For a user instead of a model: a successful answer is its body alone, if that is not empty. */
  bare?: boolean
}

const DEFAULT_MAX_CHARACTERS = 2000

/** Headers that are useful to a model. */
const SHOWN_HEADERS = ['location', 'retry-after', 'allow', 'link']

/**
 * An answer as text for a model: a status line, the useful headers, and the body, JSON without white space.
 *
 * @example 'HTTP 404 Not Found\n\n{"error":"Event not found"}'
 */
export async function describeAnswer(answer: HttpAnswer, options: AnswerOptions = {}): Promise<ToolOutcome> {
  const { status, statusText, headers } = answer
  const shown = (text: string) => withoutSecrets(text, options.secrets ?? [])
  const lines = [
    `HTTP ${status} ${statusText}`.trim(),
    ...SHOWN_HEADERS.flatMap((name) => (headers.get(name) === null ? [] : [`${name}: ${headers.get(name)}`])),
  ]
  // Masked before it is cut: the beginning of a secret that is cut would not be recognised.
  const body = cutAnswer(
    shown(await answerBodyText(answer)),
    options.maxCharacters ?? DEFAULT_MAX_CHARACTERS,
    answer.whole,
  )
  const alone = options.bare && status < 400 && body !== ''
  const output = [...(alone ? [] : [shown(lines.join('\n'))]), ...(body === '' ? [] : [body])].join('\n\n')
  return { output, ...(status >= 400 ? { failed: true } : {}) }
}

/** The body as text; for a body that is not text, its type and size. */
export async function answerBodyText({ bytes, whole, headers, charset }: HttpAnswer): Promise<string> {
  if (bytes.length === 0) return ''
  if (sniff(bytes.subarray(0, 65_536)) !== 'text')
    return `(${headers.get('content-type') ?? 'binary'}, ${whole ? '' : 'more than '}${bytes.length} bytes, not shown)`
  const text = (await decodeText(bytes, charset)).trim()
  return /^[[{]/.test(text) && parseJson(text) !== undefined ? compact(text) : text
}

/** JSON without white space between tokens; numbers keep every digit. */
const compact = (json: string) => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')

/** The first characters of an answer, with a line that says so. @param whole whether `body` is all of it */
export function cutAnswer(body: string, most: number, whole = true): string {
  if (body.length <= most && whole) return body
  const kept = body.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  const total = whole ? `${body.length}` : `more than ${body.length}`
  return `${kept}\n(cut: the first ${kept.length} of ${total} characters)`
}

/** A header may have the name of a scheme before its secret. An answer may repeat the secret without it. */
const SCHEME = /^(bearer|basic|token|apikey)\s+(?=\S+$)/i

/** The text with all secrets masked. The secret `Bearer abc` is also masked as `abc`. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const mask = createSecretMask()
  for (const secret of secrets) {
    mask.add(secret)
    mask.add(secret.replace(SCHEME, ''))
  }
  return mask.text(text)
}

/** The most characters of a body that are shown. */
const SHOWN_BODY = 4000

/** The most bytes of an answer that are read for it. */
const READ_BYTES = 16_384

/** The most characters of a header that are shown. */
const SHOWN_HEADER = 500

/** Names of headers whose value is a secret. */
const SECRET_HEADER = /auth|cookie|token|secret|passw|credential|key|signature/i

/** The end of a call: its answer, or why there is none. */
type CallEnd = { answer: HttpAnswer } | { error: string }

/**
 * An HTTP call for the person who manages the flow. The secrets of the call are masked wherever they occur, bodies are cut.
 *
 * @param secrets further secrets to mask
 * @param ms how long the call took
 */
export async function showExchange(
  call: HttpCall,
  end: CallEnd,
  ms: number,
  secrets: readonly string[] = [],
): Promise<HttpExchange> {
  const { method, address, ...request } = showRequest(call, secrets)
  const shared = { method, address, ms: Math.round(ms), request }
  if ('error' in end)
    return { ...shared, status: null, error: end.error, bytes: 0, complete: false, response: null }
  const { answer } = end
  const { status, bytes, whole } = answer
  const masked = maskFor(call, secrets)
  const head = bytes.subarray(0, READ_BYTES)
  const text = await answerBodyText({ ...answer, bytes: head, whole: whole && head.length === bytes.length })
  const response: ShownMessage = {
    headers: shownHeaders([...answer.headers], masked),
    body: shortened(masked(text)),
  }
  return { ...shared, status, bytes: bytes.length, complete: whole, response }
}

/** A request for the person who manages the flow, or approves it. */
export function showRequest(call: HttpCall, secrets: readonly string[] = []): ShownRequest {
  const masked = maskFor(call, secrets)
  return {
    method: call.method,
    address: maskAddress(masked(call.url)),
    headers: shownHeaders(Object.entries(call.headers), masked),
    body: shortened(masked(bodyText(call.body))),
  }
}

const maskFor =
  ({ url, headers, body }: HttpCall, secrets: readonly string[]) =>
  (text: string) =>
    withoutSecrets(text, [...secrets, ...secretsSent(url, headers, body)])

const shownHeaders = (headers: readonly (readonly [string, string])[], masked: (text: string) => string) =>
  Object.fromEntries(
    headers.map(([name, value]) => [
      name,
      SECRET_HEADER.test(name) ? MASK : masked(value).slice(0, SHOWN_HEADER),
    ]),
  )

function bodyText(body: HttpCall['body']): string {
  if (body === undefined) return ''
  if (typeof body !== 'string') return `(${body.length} bytes)`
  const json = parseJson(body)
  if (json !== undefined && typeof json === 'object') return JSON.stringify(withoutSecretFields(json))
  return maskAddress(`?${body}`).slice(1)
}

/** Masks texts in fields with names such as `password`: an author may have set them in a fixed body. */
function withoutSecretFields(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecretFields)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && SECRET_FIELD.test(name) ? MASK : withoutSecretFields(inner as Json),
    ]),
  )
}

const shortened = (text: string): string =>
  text.length <= SHOWN_BODY ? text : `${text.slice(0, SHOWN_BODY).replace(/[\uD800-\uDBFF]$/, '')}…`
