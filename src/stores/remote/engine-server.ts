import type { Egress } from '../../kit/egress/client.ts'
import { errorChain, type ErrorFacts, reasonOf, SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, parseJson } from '../../kit/json.ts'
import { readBaseURL } from '../../kit/provider/base-url.ts'
import { providerFailure, retryVerdict } from '../../kit/provider/failure.ts'
import { withoutPatience } from '../../kit/patience.ts'
import { retry, type RetryDecision, retryAfterMs, type RetryOptions } from '../../kit/retry.ts'
import { type EngineWait, engineWait } from './engine-wait.ts'

/** `baseURL`: a name and a password in it are sent as HTTP basic authentication. */
export type EngineAccess = { baseURL: string; headers: Record<string, string> }

/** How the server of a vector engine is called. */
export type EngineServerOptions = {
  egress: Egress
  /** The name of the product in messages. */
  provider: string
  /** The address of the API and the headers with the key, read before the first call. No message has their values. */
  open(): Promise<EngineAccess>
  keyHint: string
  /** How waits between attempts are made; tests pass their own. */
  retries?: Pick<RetryOptions, 'attempts' | 'wait' | 'random'> | undefined
  /** How long a request waits for an answer, all attempts together, in milliseconds; a minute unless given. A job waits longer. */
  timeoutMs?: number | undefined
}

export type EngineCall = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD'
  /** The path with its query, after the base URL. */
  path: string
  body?: Json
  /** The lines of a body in NDJSON, instead of `body`. */
  lines?: readonly Json[]
  /** Statuses of refusals that are no failure: the caller reads them from the answer. */
  expected?: readonly number[]
}

export type EngineAnswer = { status: number; body: Json | undefined; headers: Headers }

export type EngineServer = {
  /**
   * Makes a call, and repeats it after 429, 500, 502, 503, 504 and cut connections, obeying Retry-After. Every call must
   * therefore be repeatable: it may have taken effect although its answer was lost. A job repeats it until the server takes it.
   *
   * @throws SluiceError `provider_failed`, `provider_timeout`, `egress_denied`; the reason of the signal of a job
   */
  call(request: EngineCall): Promise<EngineAnswer>
  /** An error of this server: its answer is not what its API describes, or it has refused a part of a call. @param facts besides the reason */
  failure(reason: string, facts?: ErrorFacts): Error
  /**
   * Waits before a further attempt, longer for each, or as long as the server has asked for. For failures that only the caller sees.
   *
   * @param headers of its refusal
   */
  pause(attempt: number, headers?: Headers): Promise<void>
  /** How work of several calls goes on that the server does not take: call `over` when it takes some, and at the end. */
  wait(): EngineWait
}

const TIMEOUT_MS = 60_000
/** How many attempts a request makes. */
const ATTEMPTS = 5
/** A page of vectors with their metadata. */
const ANSWER_BYTES = 64 * 2 ** 20

/** The wait after a first attempt, in milliseconds. */
const PAUSE_MS = 200
/** A pause that the server has not asked for is not longer. */
const LONGEST_OWN_PAUSE_MS = 30_000
/** A server that asks for more is asked again after so long. */
const LONGEST_PAUSE_MS = 120_000

/** The answer of a server that has refused a call, in the form that `kit/provider` reads. */
class EngineRefusal extends Error {
  readonly statusCode: number
  readonly responseBody: string
  readonly responseHeaders: Record<string, string>

  constructor(status: number, body: string, headers: Headers) {
    super(`status ${status}`)
    this.statusCode = status
    this.responseBody = JSON.stringify({ message: messageOf(body) })
    this.responseHeaders = Object.fromEntries(headers)
  }
}

export function engineServer(options: EngineServerOptions): EngineServer {
  const { egress, provider, keyHint, retries, timeoutMs = TIMEOUT_MS } = options
  let opened: Promise<EngineAccess> | undefined
  let hasAnswered = false

  const wait = (): EngineWait =>
    engineWait({
      server: provider,
      timeoutMs,
      attempts: retries?.attempts ?? ATTEMPTS,
      hasAnswered: () => hasAnswered,
      wait: retries?.wait,
    })

  /** Read again after a failure: the credential may have been repaired. */
  async function access(): Promise<EngineAccess> {
    opened ??= withoutPatience(options.open).then(({ baseURL, headers }) => ({
      baseURL: readBaseURL(baseURL),
      headers,
    }))
    try {
      return await opened
    } catch (error) {
      opened = undefined
      throw error
    }
  }

  async function once(
    { method, path, body, lines, expected = [] }: EngineCall,
    signal: AbortSignal,
  ): Promise<EngineAnswer> {
    const { baseURL, headers: secretHeaders } = await access()
    // The signal comes first.
    const fetch = egress
      .forProvider(baseURL)
      .limited({ headersMs: 2 * LONGEST_PAUSE_MS, responseBytes: ANSWER_BYTES })
    const headers: Record<string, string> = { ...secretHeaders, accept: 'application/json' }
    if (lines) headers['content-type'] = 'application/x-ndjson'
    else if (body !== undefined) headers['content-type'] = 'application/json'
    const text = lines
      ? lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      : body === undefined
        ? undefined
        : JSON.stringify(body)
    const response = await fetch(`${baseURL}${path}`, {
      method,
      headers,
      signal,
      ...(text === undefined ? {} : { body: text }),
    })
    const answer = await response.text()
    hasAnswered = true
    if (!response.ok && !expected.includes(response.status))
      throw new EngineRefusal(response.status, answer, response.headers)
    return { status: response.status, body: parseJson(answer), headers: response.headers }
  }

  /** @param count the number of the attempt, from 1. @throws PassingFailure where another one is made */
  async function attempt(
    request: EngineCall,
    { going, count, earlier }: { going: EngineWait; count: number; earlier: { failure?: unknown } },
  ): Promise<EngineAnswer> {
    const late = new SluiceError('provider_timeout', { provider, seconds: Math.round(timeoutMs / 1000) })
    const { signal, end } = going.attempt(late)
    try {
      return await once(request, signal)
    } catch (error) {
      const isLate = errorChain(error).includes(late)
      const verdict = isLate ? {} : retryVerdict(error)
      if (verdict && going.goesOn(shortReason(error), count, verdict.afterMs)) {
        // The last attempt of a request may have no time left: then its own failure says nothing.
        earlier.failure = isLate ? earlier.failure : error
        throw new PassingFailure(verdict, error)
      }
      throw isLate ? (earlier.failure ?? error) : error
    } finally {
      end()
    }
  }

  return {
    async call(request) {
      const going = wait()
      const earlier = {}
      try {
        return await retry((count) => attempt(request, { going, count, earlier }), {
          // How many there are is decided by the wait.
          ...{ verdict: passing, attempts: Infinity, wait: (ms) => going.pause(ms) },
          ...(retries?.random ? { random: retries.random } : {}),
        })
      } catch (error) {
        const secrets = await access().then(secretsOf, () => [])
        throw providerFailure(error, {
          provider,
          stage: 'store',
          unreadable: 'its answer cannot be read',
          secrets,
          texts: [],
          keyHint,
        })
      } finally {
        going.over()
      }
    },
    async pause(attempt, headers) {
      const asked = Math.min(retryAfterMs(headers?.get('retry-after')) ?? 0, LONGEST_PAUSE_MS)
      await wait().pause(Math.max(asked, Math.min(PAUSE_MS * 2 ** (attempt - 1), LONGEST_OWN_PAUSE_MS)))
    },
    wait,
    failure: (reason, facts = {}) =>
      new SluiceError('provider_failed', { ...facts, provider, reason, stage: 'store' }),
  }
}

/** A failure after which the call is made again. */
class PassingFailure extends Error {
  readonly verdict: RetryDecision

  constructor(verdict: RetryDecision, cause: unknown) {
    super('another attempt is made', { cause })
    this.verdict = verdict
  }
}

const passing = (error: unknown): RetryDecision =>
  error instanceof PassingFailure ? error.verdict : undefined

/** Why a call is made again, in a word or two for the progress of a job. */
function shortReason(error: unknown): string {
  for (const cause of errorChain(error)) {
    if (cause instanceof EngineRefusal) return `${cause.statusCode}`
    if (cause instanceof SluiceError && cause.code === 'provider_timeout') return 'no answer'
    if (cause instanceof SluiceError && typeof cause.facts.reason === 'string') return cause.facts.reason
  }
  return reasonOf(error)
}

const secretsOf = ({ headers }: EngineAccess): string[] =>
  Object.values(headers).flatMap((value) => [value, value.replace(/^\w+ /, '')])

/** The message of a refusal: Qdrant's `{status: {error}}`, `{error: {reason}}` of OpenSearch, `{message}`, `{error}`. */
function messageOf(text: string): string {
  const body = parseJson(text)
  if (!isObject(body)) return text.slice(0, 200)
  for (const value of [body.status, body.error]) {
    if (!isObject(value)) continue
    const message = value.error ?? value.reason ?? value.message
    if (typeof message === 'string') return message
  }
  const message = body.message ?? body.error
  return typeof message === 'string' ? message : 'it gives no reason'
}
