import type { Agent, RequestInit as UndiciInit } from 'undici'
import { SluiceError } from '../errors.ts'
import { checkedConnector, type Resolve, systemResolve } from './connector.ts'
import { callFailure, NetworkError } from './network-error.ts'
import { type Hop, nextHop } from './redirect.ts'
import { guardResponse } from './response.ts'
import type { EgressRules } from './rules.ts'

/** What a call may cost; the times in milliseconds. */
export type CallLimits = {
  /** Until the headers of the answer are there: looking up, connecting, sending, waiting. */
  headersMs: number
  /** How long the other side may be silent in the middle of its answer. */
  idleMs: number
  /** The most an answer may have, unpacked. */
  responseBytes: number
  redirects: number
}

const LIMITS: CallLimits = { headersMs: 60_000, idleMs: 60_000, responseBytes: 100 * 2 ** 20, redirects: 5 }
const CONNECT_MS = 10_000

export type EgressFetch = typeof globalThis.fetch

/** The one way out of the product: everything that calls another server does it through here. */
export type Egress = {
  /**
   * Calls as `fetch` does, where the rules allow it, on every hop.
   *
   * @throws SluiceError `egress_denied`, `provider_failed`, `provider_timeout`; the reason of the caller's signal
   */
  fetch: EgressFetch
  /** The same with other limits. */
  limited(limits: Partial<CallLimits>): EgressFetch
  close(): Promise<void>
}

export type EgressOptions = {
  rules: EgressRules
  resolve?: Resolve
  limits?: Partial<CallLimits>
  connectMs?: number
}

export function createEgress(options: EgressOptions): Egress {
  const { rules, resolve = systemResolve, connectMs = CONNECT_MS } = options
  let opening: Promise<{ agent: Agent; send: typeof import('undici').fetch }> | undefined

  /** The client is loaded at the first call: most starts need none. */
  const open = async () => {
    const { Agent, buildConnector, fetch } = await import('undici')
    const connect = checkedConnector(buildConnector, { rules, resolve, connectMs })
    // Limits of time are kept here, for they differ from call to call.
    return { agent: new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 }), send: fetch }
  }

  async function sendHop(hop: Hop, limits: CallLimits, signal: AbortSignal | null | undefined) {
    signal?.throwIfAborted()
    const host = hop.url.host
    const stop = new AbortController()
    const late = new SluiceError('provider_timeout', { provider: host, seconds: limits.headersMs / 1000 })
    const timer = setTimeout(() => stop.abort(late), limits.headersMs)
    try {
      opening ??= open()
      const { agent, send } = await opening
      const { url, ...rest } = hop
      const response = await send(url, {
        ...(rest as UndiciInit),
        redirect: 'manual',
        dispatcher: agent,
        signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
      })
      return { response, stop: (reason: Error) => stop.abort(reason) }
    } catch (error) {
      signal?.throwIfAborted()
      throw callFailure(host, error, connectMs / 1000)
    } finally {
      clearTimeout(timer)
    }
  }

  const limited =
    (given: Partial<CallLimits>): EgressFetch =>
    async (input, init = {}) => {
      const limits = { ...LIMITS, ...options.limits, ...given }
      let hop = await firstHop(input, init)
      for (let hops = 0; ; hops++) {
        refuseOtherSchemes(hop.url)
        const { response, stop } = await sendHop(hop, limits, init.signal)
        const next =
          init.redirect === 'manual'
            ? undefined
            : nextHop(hop, response.status, response.headers.get('location'))
        if (!next) return guardResponse(response, { url: hop.url, limits, signal: init.signal, stop })
        stop(new NetworkError(hop.url.host, 'it leads elsewhere'))
        if (hops === limits.redirects)
          throw new SluiceError('provider_failed', {
            provider: hop.url.host,
            reason: `it redirects more than ${limits.redirects} times`,
          })
        hop = withoutUserInfo(next)
      }
    }

  return {
    fetch: limited({}),
    limited,
    async close() {
      await (await opening?.catch(() => undefined))?.agent.destroy()
    },
  }
}

async function firstHop(input: Parameters<EgressFetch>[0], init: RequestInit): Promise<Hop> {
  if (input instanceof Request) throw new TypeError('a call is made by its URL, not by a Request')
  const headers = new Headers(init.headers)
  const { body, type } = await writtenOut(init.body)
  if (type && !headers.has('content-type')) headers.set('content-type', type)
  if (!headers.has('user-agent')) headers.set('user-agent', 'sluice')
  return withoutUserInfo({ url: new URL(input), method: init.method ?? 'GET', headers, body })
}

/** A form or a stream as bytes: a redirect may ask for the body a second time. */
async function writtenOut(body: RequestInit['body']): Promise<{ body: Hop['body']; type?: string | null }> {
  if (body == null || typeof body === 'string') return { body: body ?? null }
  const written = new Response(body)
  return { body: new Uint8Array(await written.arrayBuffer()), type: written.headers.get('content-type') }
}

/** A name and a password in a URL become the header they stand for; nobody sees them in a message. */
function withoutUserInfo(hop: Hop): Hop {
  const { username, password } = hop.url
  if (username === '' && password === '') return hop
  const url = new URL(hop.url)
  url.username = ''
  url.password = ''
  const headers = new Headers(hop.headers)
  const pair = `${decoded(username)}:${decoded(password)}`
  if (!headers.has('authorization'))
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  return { ...hop, url, headers }
}

/** What a URL writes with escapes; what it takes for one and is none stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function refuseOtherSchemes({ protocol, host }: URL): void {
  if (protocol === 'http:' || protocol === 'https:') return
  throw new SluiceError('egress_denied', {
    host: host || protocol,
    hint: 'Only http and https are spoken',
  })
}
