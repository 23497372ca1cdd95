import type { Socket } from 'node:net'
import type { Agent, RequestInit as UndiciInit } from 'undici'
import { SluiceError } from '../errors.ts'
import { ownTurn } from '../own-turn.ts'
import { checkedSocket } from './checked-socket.ts'
import { decoded } from './decoded.ts'
import { checkedConnector, type Resolve, systemResolve } from './connector.ts'
import { callFailure, NetworkError } from './network-error.ts'
import { type Hop, nextHop } from './redirect.ts'
import { guardResponse } from './response.ts'
import { placeAt, placeIn } from './place-name.ts'
import type { CallPurpose, EgressRules } from './rules.ts'

/** The limits of a call; times in milliseconds. */
export type EgressLimits = {
  /** The time until the headers of the answer: look-up, connection, sending, waiting. */
  headersMs: number
  /** The longest silence within an answer. */
  idleMs: number
  /** The most bytes of an answer, decompressed. */
  responseBytes: number
  redirects: number
}

const LIMITS: EgressLimits = { headersMs: 60_000, idleMs: 60_000, responseBytes: 32 * 2 ** 20, redirects: 5 }
const CONNECT_MS = 10_000

export type EgressFetch = typeof globalThis.fetch

/** How the certificate of a provider is checked. `ca`: the authorities that may have signed it, in PEM, instead of the public ones. */
export type ProviderTrust = { ca?: string | undefined }

/** Calls other servers. No other code of the product opens connections. */
export type Egress = {
  /**
   * Calls as `fetch` does. The rules must allow every hop.
   *
   * @throws SluiceError `egress_denied`, `provider_failed`, `provider_timeout`; the reason of the caller's signal
   */
  fetch: EgressFetch
  /** The same with other limits. */
  limited(limits: Partial<EgressLimits>): EgressFetch
  /** A socket for the client of another protocol: its `connect(port, host)` is destroyed with `egress_denied` where the rules say so. */
  socket(): Socket
  /**
   * The same client for a provider, whose host and port may be on this machine where the rules allow that. Another place, such as
   * one that a redirect leads to, is judged as for everybody.
   *
   * @param address the base address of the provider, which an owner typed; `host:port` for other protocols than HTTP
   * @param trust for this place alone
   */
  forProvider(address: string, trust?: ProviderTrust): Egress
  /** The same client for MCP servers: it calls those that MCP_ALLOW lists, and nothing else. */
  forMcp(): Egress
  /**
   * Refuses a place that no call could reach, without a look-up of its name and without a connection: for checks of flows.
   *
   * @param address a URL, or `host:port` for other protocols
   * @throws SluiceError `egress_denied`
   */
  checkPlace(address: string): void
  close(): Promise<void>
}

export type EgressOptions = {
  rules: EgressRules
  resolve?: Resolve
  limits?: Partial<EgressLimits>
  connectMs?: number
}

/** What makes the client of all outgoing calls. */
export type OpenEgress = (options: EgressOptions) => Egress

export function createEgress(options: EgressOptions): Egress {
  const { rules, resolve = systemResolve, connectMs = CONNECT_MS } = options
  const agents = new Map<string, Promise<OpenAgent>>()

  /**
   * An agent for each purpose and each authority: a connection that one of them may open is not for the calls of another. The client is
   * loaded at the first call: most starts need none.
   */
  const agentFor = ({ purpose, ca }: Reach): Promise<OpenAgent> => {
    const key = `${purpose} ${ca ?? ''}`
    const known = agents.get(key)
    if (known) return known
    const opening = openAgent({ rules, resolve, connectMs, purpose, ca })
    agents.set(key, opening)
    return opening
  }

  async function sendHop(
    hop: Hop,
    reach: Reach,
    limits: EgressLimits,
    signal: AbortSignal | null | undefined,
  ) {
    signal?.throwIfAborted()
    const host = hop.url.host
    const stop = new AbortController()
    const late = new SluiceError('provider_timeout', { provider: host, seconds: limits.headersMs / 1000 })
    const timer = setTimeout(() => stop.abort(late), limits.headersMs)
    try {
      const { agent, send } = await agentFor(reach)
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

  const limitedFor =
    (reachOf: (place: string) => Reach) =>
    (given: Partial<EgressLimits>): EgressFetch =>
    async (input, init = {}) => {
      const limits = { ...LIMITS, ...options.limits, ...given }
      let hop = await firstHop(input, init)
      for (let hops = 0; ; hops++) {
        refuseOtherSchemes(hop.url)
        const { response, stop } = await sendHop(hop, reachOf(placeIn(hop.url)), limits, init.signal)
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

  /** @param reachOf for a place, `host:port` */
  const clientFor = (reachOf: (place: string) => Reach): Egress => {
    const limited = limitedFor(reachOf)
    return {
      fetch: limited({}),
      limited,
      socket: () => checkedSocket({ rules, resolve, purposeOf: (place) => reachOf(place).purpose }),
      forProvider(address, { ca } = {}) {
        const provider = placeAt(address)
        return clientFor((place) => (place === provider ? { purpose: 'provider', ca } : ANY))
      },
      forMcp: () => clientFor(() => ({ purpose: 'mcp' })),
      checkPlace(address) {
        const place = placeAt(address)
        const [, host, port] = /^(.+):(\d+)$/.exec(place ?? '') ?? []
        if (host !== undefined) rules.checkUnresolved(host, Number(port), reachOf(place!).purpose)
      },
      async close() {
        const opened = await Promise.allSettled(agents.values())
        const open = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value.agent.destroy()] : []))
        await Promise.all(open)
      },
    }
  }
  return clientFor(() => ANY)
}

/** What a call is for, and by which authorities the certificate of the place may be signed; the public ones unless given. */
type Reach = { purpose: CallPurpose; ca?: string | undefined }

const ANY: Reach = { purpose: 'any' }

type OpenAgent = { agent: Agent; send: typeof import('undici').fetch }

async function openAgent({
  connectMs,
  ...checks
}: {
  rules: EgressRules
  resolve: Resolve
  connectMs: number
} & Reach): Promise<OpenAgent> {
  // Loading it takes as long as it may in one turn.
  await ownTurn()
  const { Agent, buildConnector, fetch } = await import('undici')
  const connect = checkedConnector(buildConnector, { ...checks, connectMs })
  // Time limits are kept by each call, since they differ.
  return { agent: new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 }), send: fetch }
}

async function firstHop(input: Parameters<EgressFetch>[0], init: RequestInit): Promise<Hop> {
  if (input instanceof Request) throw new TypeError('a call is made by its URL, not by a Request')
  const headers = new Headers(init.headers)
  const { body, type } = await writtenOut(init.body)
  if (type && !headers.has('content-type')) headers.set('content-type', type)
  if (!headers.has('user-agent')) headers.set('user-agent', 'sluice')
  return withoutUserInfo({ url: new URL(input), method: init.method ?? 'GET', headers, body })
}

/** A form or a stream as bytes: a redirect may need the body again. */
async function writtenOut(body: RequestInit['body']): Promise<{ body: Hop['body']; type?: string | null }> {
  if (body == null || typeof body === 'string') return { body: body ?? null }
  // No copy: it may be large.
  if (body instanceof Uint8Array) return { body: body as Uint8Array<ArrayBuffer> }
  const written = new Response(body)
  return { body: new Uint8Array(await written.arrayBuffer()), type: written.headers.get('content-type') }
}

/** Moves a name and a password of a URL into the authorization header, so that no message shows them. */
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

function refuseOtherSchemes({ protocol, host }: URL): void {
  if (protocol === 'http:' || protocol === 'https:') return
  throw new SluiceError('egress_denied', {
    host: host || protocol,
    reason: 'only http and https are spoken',
  })
}
