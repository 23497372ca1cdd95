import { setTimeout as sleep } from 'node:timers/promises'
import type { Egress } from '../../kit/egress/client.ts'
import { isObject, type Json, parseJson } from '../../kit/json.ts'
import { readBaseURL } from '../../kit/provider/base-url.ts'
import { providerFailure, retryVerdict } from '../../kit/provider/failure.ts'
import { retry, retryAfterMs, type RetryOptions } from '../../kit/retry.ts'

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
  /** How long to wait for an answer, in milliseconds. Two minutes unless given: a write of a batch may need some time. */
  timeoutMs?: number | undefined
}

export type EngineCall = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD'
  /** The path with its query, after the base URL. */
  path: string
  body?: Json
  /** The lines of a body in NDJSON, instead of `body`. Bytes are JSON that is written already. */
  lines?: readonly (Json | Uint8Array)[]
  /** Statuses of refusals that are no failure: the caller reads them from the answer. */
  expected?: readonly number[]
}

export type EngineAnswer = { status: number; body: Json | undefined; headers: Headers }

export type EngineServer = {
  /**
   * Makes a call, and repeats it after 429, 500, 502, 503, 504 and cut connections, obeying Retry-After. Every call must
   * therefore be repeatable: it may have taken effect although its answer was lost.
   *
   * @throws SluiceError `provider_failed`, `provider_timeout`, `egress_denied`
   */
  call(request: EngineCall): Promise<EngineAnswer>
  /** An error of this server: its answer is not what its API describes, or it has refused a part of a call. */
  failure(reason: string): Error
  /**
   * Waits before a further attempt, longer for each, or as long as the server has asked for. For failures that only the caller sees.
   *
   * @param headers of its refusal
   */
  pause(attempt: number, headers?: Headers): Promise<void>
}

const TIMEOUT_MS = 120_000
/** A page of vectors with their metadata. */
const ANSWER_BYTES = 64 * 2 ** 20

/** The wait after a first attempt, in milliseconds. */
const PAUSE_MS = 200
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
  const { egress, provider, keyHint, retries } = options
  let opened: Promise<EngineAccess> | undefined

  /** Read again after a failure: the credential may have been repaired. */
  async function access(): Promise<EngineAccess> {
    opened ??= options.open().then(({ baseURL, headers }) => ({ baseURL: readBaseURL(baseURL), headers }))
    try {
      return await opened
    } catch (error) {
      opened = undefined
      throw error
    }
  }

  async function once({ method, path, body, lines, expected = [] }: EngineCall): Promise<EngineAnswer> {
    const { baseURL, headers: secretHeaders } = await access()
    const fetch = egress
      .forProvider(baseURL)
      .limited({ headersMs: options.timeoutMs ?? TIMEOUT_MS, responseBytes: ANSWER_BYTES })
    const headers: Record<string, string> = { ...secretHeaders, accept: 'application/json' }
    if (lines) headers['content-type'] = 'application/x-ndjson'
    else if (body !== undefined) headers['content-type'] = 'application/json'
    const content = lines ? linesOf(lines) : body === undefined ? undefined : JSON.stringify(body)
    const response = await fetch(`${baseURL}${path}`, {
      method,
      headers,
      ...(content === undefined ? {} : { body: content }),
    })
    const answer = await response.text()
    if (!response.ok && !expected.includes(response.status))
      throw new EngineRefusal(response.status, answer, response.headers)
    return { status: response.status, body: parseJson(answer), headers: response.headers }
  }

  return {
    async call(request) {
      try {
        return await retry(() => once(request), { verdict: retryVerdict, ...retries })
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
      }
    },
    async pause(attempt, headers) {
      const wait = retries?.wait ?? ((ms: number) => sleep(ms))
      const asked = Math.min(retryAfterMs(headers?.get('retry-after')) ?? 0, LONGEST_PAUSE_MS)
      await wait(Math.max(asked, PAUSE_MS * 2 ** (attempt - 1)))
    },
    failure: (reason) =>
      providerFailure(new Error(reason), {
        provider,
        stage: 'store',
        unreadable: '',
        secrets: [],
        texts: [],
        keyHint,
      }),
  }
}

const LINE_END = Buffer.from('\n')

const linesOf = (lines: readonly (Json | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  Buffer.concat(
    lines.flatMap((line) => [
      line instanceof Uint8Array ? line : Buffer.from(JSON.stringify(line)),
      LINE_END,
    ]),
  )

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
