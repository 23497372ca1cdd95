import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlowRow } from '../contract/flow-store.ts'
import { isLoopback } from '../kit/config.ts'
import { SluiceError } from '../kit/errors.ts'
import { chatbotConfigOf } from './stored-flow.ts'

/**
 * Whether a browser sent the request from a page of another site that the flow does not list. Without this check any web
 * page could write to a server on the machine of its visitor: browsers send forms to other sites without asking.
 *
 * @param loopback whether only this machine can reach the server
 */
export function isForeignPage(headers: IncomingHttpHeaders, flow: FlowRow, loopback: boolean): boolean {
  const { origin, host } = headers
  if (origin === undefined) return headers['sec-fetch-site'] === 'cross-site'
  return !isOwnOrigin(origin, host, loopback) && !isListed(origin, allowedHosts(flow))
}

/**
 * Whether the page that sent the request may ask the flow and read its answer. With `allowedOrigins` only listed pages
 * may; without, every page may. Exception: an open flow on a server that only this machine can reach is only for pages of
 * this machine. Otherwise any visited web site could read its documents.
 *
 * @param loopback whether only this machine can reach the server
 */
export function mayPageAsk({ origin, host }: IncomingHttpHeaders, flow: FlowRow, loopback: boolean): boolean {
  if (origin === undefined || isOwnOrigin(origin, host, loopback)) return true
  const listed = allowedHosts(flow)
  if (listed.size > 0) return isListed(origin, listed)
  return !loopback || flow.apiKeyId !== null || isHere(origin)
}

/** The message for a page that may not ask: the one of the flow, if it has one. */
export function pageRefusalMessage(flow: FlowRow): string {
  const { allowedOriginsError: message } = chatbotConfigOf(flow)
  return typeof message === 'string' && message !== ''
    ? message
    : 'This site is not allowed to access this chatbot'
}

/**
 * Whether a page is of this server. On a server that only this machine can reach, the name in the origin must be one of
 * this machine: another name, even if `Host` has it too, was pointed here by its owner (DNS rebinding).
 */
export const isOwnOrigin = (origin: string, host: string | undefined, loopback: boolean): boolean =>
  hostOf(origin) === host && (!loopback || isHere(origin))

const isHere = (origin: string): boolean => isLoopback(URL.parse(origin)?.hostname ?? '')

/** The host of an origin; for one without a host, such as `null` of a file, the origin itself. */
const hostOf = (origin: string): string => URL.parse(origin)?.host ?? origin

const isListed = (origin: string, hosts: ReadonlySet<string>): boolean =>
  hosts.has('*') || hosts.has(hostOf(origin))

/** The hosts in `chatbotConfig.allowedOrigins`, a list of origins or hosts; `*` allows all. */
export function allowedHosts(flow: FlowRow): ReadonlySet<string> {
  const { allowedOrigins: listed } = chatbotConfigOf(flow)
  const origins = Array.isArray(listed) ? listed.filter((entry) => typeof entry === 'string') : []
  const hosts = origins.map((entry) => URL.parse(entry)?.host || entry.trim())
  return new Set(hosts.filter((host) => host !== ''))
}

/**
 * Which pages of other sites may use a route (CORS, in the Fetch standard): `allowed`: those that may ask the flow;
 * `listed`: only those in its `allowedOrigins`.
 */
export type PageRule = 'allowed' | 'listed'

/**
 * Lets the page that sent the request read the answer, if it may use the route. Failures too. Cookies are never allowed.
 *
 * @param flow undefined if it is not known yet; then the page is checked again when it is
 * @throws SluiceError `page_refused`
 */
export function admitPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { pages, flow, loopback }: { pages: PageRule; flow: FlowRow | undefined; loopback: boolean },
): void {
  const { origin } = headers
  if (origin === undefined) return
  reply.header('vary', 'origin')
  if (flow && pages === 'listed' && isForeignPage(headers, flow, loopback)) return
  if (flow && pages === 'allowed' && !mayPageAsk(headers, flow, loopback))
    throw new SluiceError('page_refused', {
      message: pageRefusalMessage(flow),
      hint: "List the site in allowedOrigins of the flow's chatbotConfig",
    })
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after',
  })
}

/** How long a browser may cache the answer to a preflight request, in seconds. */
const MAX_AGE = 600

/** Answers a preflight request: a browser sends it before requests that a form cannot send. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply, methods: readonly string[]) {
  const { headers } = request
  const requested = headers['access-control-request-headers']
  return reply
    .headers({
      'access-control-allow-methods': methods.join(', '),
      'access-control-max-age': MAX_AGE,
      ...(requested === undefined ? {} : { 'access-control-allow-headers': requested }),
      // For a page of the internet that calls a server on this machine or network.
      ...(headers['access-control-request-private-network'] === 'true'
        ? { 'access-control-allow-private-network': 'true' }
        : {}),
    })
    .code(204)
    .send()
}
