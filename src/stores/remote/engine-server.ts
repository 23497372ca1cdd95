import type { Egress } from '../../kit/egress/client.ts'
import { decoded } from '../../kit/egress/decoded.ts'
import { isNotSent, NetworkError } from '../../kit/egress/network-error.ts'
import { errorChain, type ErrorFacts, reasonOf, SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, parseJson } from '../../kit/json.ts'
import { providerFailure, retryVerdict } from '../../kit/provider/failure.ts'
import { withoutPatience } from '../../kit/patience.ts'
import {
  PASSING_STATUS,
  type RetryDecision,
  retryAfterMs,
  type RetryOptions,
  timeIn,
} from '../../kit/retry.ts'
import { type AddressRota, addressRota } from './address-rota.ts'
import { readAuthorities } from './authority.ts'
import { type AwsKeys, awsHeaders } from './aws-signature.ts'
import { readBaseURLs } from './base-urls.ts'
import { type EngineWait, engineWait } from './engine-wait.ts'
import { patientCall } from './patient-call.ts'

/**
 * How the server of an engine is reached.
 *
 * `baseURL`: its address, or several of one cluster with commas or blanks between them. A name and a password in one are sent as HTTP basic
 * authentication. `ca`: certificates in PEM of the authorities that may have signed those of the server, instead of the public ones. `aws`:
 * each call is signed with these keys.
 */
export type EngineAccess = {
  baseURL: string
  headers: Record<string, string>
  ca?: string | undefined
  aws?: AwsKeys | undefined
}

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
  /** The lines of a body in NDJSON, instead of `body`. Bytes are JSON that is written already. */
  lines?: readonly (Json | Uint8Array)[]
  /** Statuses of refusals that are no failure: the caller reads them from the answer. */
  expected?: readonly number[]
}

export type EngineAnswer = { status: number; body: Json | undefined; headers: Headers }

export type EngineServer = {
  /**
   * Makes a call, and repeats it after 429, 500, 502, 503, 504 and cut connections, obeying Retry-After. Every call must
   * therefore be repeatable: it may have taken effect although its answer was lost. A job repeats it until the server takes it. Of several
   * addresses the next one is asked at once where one is away.
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

/** An answer that no engine gives: the page of a proxy, of a login, of another program. */
class ForeignAnswer extends Error {}

/** What a credential says, ready for calls. */
type Opened = Omit<EngineAccess, 'baseURL'> & { addresses: readonly string[]; rota: AddressRota }

export function engineServer(options: EngineServerOptions): EngineServer {
  const { egress, provider, keyHint, retries, timeoutMs = TIMEOUT_MS } = options
  let opened: Promise<Opened> | undefined
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
  async function access(): Promise<Opened> {
    opened ??= withoutPatience(options.open).then(({ baseURL, ca, ...more }) => {
      const addresses = readBaseURLs(baseURL)
      const trusted = ca === undefined ? {} : { ca: readAuthorities(ca) }
      return { ...more, ...trusted, addresses, rota: addressRota(addresses) }
    })
    try {
      return await opened
    } catch (error) {
      opened = undefined
      throw error
    }
  }

  /** Asks the addresses in turn until one is there. */
  async function once(request: EngineCall, signal: AbortSignal): Promise<EngineAnswer> {
    const own = await access()
    let last: unknown
    for (const address of own.rota.order()) {
      try {
        const answer = await send(address, own, request, signal)
        own.rota.answered(address)
        return answer
      } catch (error) {
        if (!isAway(error)) throw error
        own.rota.failed(address)
        if (isLate(error)) throw error
        last = error
      }
    }
    throw ofAll(last, own.addresses.length)
  }

  async function send(
    address: string,
    { headers: secretHeaders, ca, aws }: Opened,
    { method, path, body, lines, expected = [] }: EngineCall,
    signal: AbortSignal,
  ): Promise<EngineAnswer> {
    // The signal comes first.
    const fetch = egress
      .forProvider(address, { ca })
      .limited({ headersMs: 2 * LONGEST_PAUSE_MS, responseBytes: ANSWER_BYTES })
    const headers: Record<string, string> = { ...secretHeaders, accept: 'application/json' }
    if (lines) headers['content-type'] = 'application/x-ndjson'
    else if (body !== undefined) headers['content-type'] = 'application/json'
    const content = lines ? linesOf(lines) : body === undefined ? undefined : JSON.stringify(body)
    const url = `${address}${path}`
    const sent = content === undefined ? {} : { body: content }
    const response = await fetch(url, {
      method,
      headers: aws ? await awsHeaders({ method, url, headers, ...sent }, aws) : headers,
      signal,
      ...sent,
    })
    const answer = await response.text()
    if (isPage(answer) && !PASSING_STATUS.has(response.status))
      throw new ForeignAnswer(
        `it answered ${response.status} with a page of HTML, as a proxy or another program does: check its address`,
      )
    hasAnswered = true
    if (!response.ok && !expected.includes(response.status))
      throw new EngineRefusal(response.status, answer, response.headers)
    return { status: response.status, body: parseJson(answer), headers: response.headers }
  }

  return {
    async call(request) {
      const how = { provider, timeoutMs, verdict, reason: shortReason, random: retries?.random }
      try {
        return await patientCall(wait(), how, (signal) => once(request, signal))
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
      const asked = Math.min(
        retryAfterMs(headers?.get('retry-after'), timeIn(headers?.get('date'))) ?? 0,
        LONGEST_PAUSE_MS,
      )
      await wait().pause(Math.max(asked, Math.min(PAUSE_MS * 2 ** (attempt - 1), LONGEST_OWN_PAUSE_MS)))
    },
    wait,
    failure: (reason, facts = {}) =>
      new SluiceError('provider_failed', { ...facts, provider, reason, stage: 'store' }),
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

/** Whether an address cannot be used now, and another one of the cluster may be. */
function isAway(error: unknown): boolean {
  if (error instanceof EngineRefusal) return GATEWAY_STATUS.has(error.statusCode)
  if (error instanceof ForeignAnswer || error instanceof NetworkError || isNotSent(error)) return true
  return error instanceof SluiceError && error.code === 'provider_timeout'
}

/** Of a proxy whose server is away, or of a member that has lost its cluster. */
const GATEWAY_STATUS = new Set([502, 503, 504])

/** Whether a call has been sent and was not answered in time. */
const isLate = (error: unknown): boolean =>
  error instanceof SluiceError && error.code === 'provider_timeout' && !isNotSent(error)

/** A machine that is switched off takes no connection: it is waited for like a server that refuses calls. */
const verdict = (error: unknown): RetryDecision =>
  retryVerdict(error) ??
  (error instanceof SluiceError && error.code === 'provider_timeout' && isNotSent(error) ? {} : undefined)

/** The failure of the last address, which says how many were asked. */
function ofAll(error: unknown, count: number): unknown {
  if (count === 1 || !(error instanceof NetworkError)) return error
  const { provider, reason } = error.facts
  const all = `none of its ${count} addresses answers: ${String(reason)}`
  return new NetworkError(String(provider), all, { cause: error })
}

function secretsOf({ headers, addresses, aws }: Opened): string[] {
  const inHeaders = Object.values(headers).flatMap((value) => [value, value.replace(/^\w+ /, '')])
  const inAddresses = addresses.flatMap((address) => {
    const { password } = new URL(address)
    return [password, decoded(password)]
  })
  return [...inHeaders, ...inAddresses, aws?.secretAccessKey ?? '', aws?.sessionToken ?? '']
}

const isPage = (text: string): boolean => /^\s{0,100}<(?:!doctype|html|head|body)/i.test(text)

/** Why a call is made again, in a word or two for the progress of a job. */
function shortReason(error: unknown): string {
  for (const cause of errorChain(error)) {
    if (cause instanceof EngineRefusal) return `${cause.statusCode}`
    if (cause instanceof SluiceError && cause.code === 'provider_timeout') return 'no answer'
    if (cause instanceof SluiceError && typeof cause.facts.reason === 'string') return cause.facts.reason
  }
  return reasonOf(error)
}

/** The message of a refusal: Qdrant's `{status: {error}}`, `{error: {reason}}` of OpenSearch, `{message}`, `{error}`. */
function messageOf(text: string): string {
  if (isPage(text)) return 'a page of HTML, as a proxy answers whose server is away'
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
