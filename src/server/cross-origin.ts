import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlowRow } from '../contract/flow-store.ts'
import { isLoopback } from '../kit/config.ts'
import { SluiceError } from '../kit/errors.ts'
import { chatbotConfigOf } from './stored-flow.ts'

/**
 * Whether a browser sent the request from a page of another site that the flow does not list. Without this, any page
 * that somebody looks at could write into a server on their own machine: a form needs no permission to be sent.
 *
 * @param loopback whether only this machine can reach the server
 */
export function isForeignPage(headers: IncomingHttpHeaders, flow: FlowRow, loopback: boolean): boolean {
  const { origin, host } = headers
  if (origin === undefined) return headers['sec-fetch-site'] === 'cross-site'
  return !isOwnOrigin(origin, host, loopback) && !isListed(origin, allowedHosts(flow))
}

/**
 * Whether the page that a request comes from may ask the flow and read its answer. A list of `allowedOrigins` decides;
 * without one every page may, but for this: an open flow of a server that only this machine can reach is asked by
 * pages of this machine alone, or any site that somebody visits could read their documents.
 *
 * @param loopback whether only this machine can reach the server
 */
export function mayPageAsk({ origin, host }: IncomingHttpHeaders, flow: FlowRow, loopback: boolean): boolean {
  if (origin === undefined || isOwnOrigin(origin, host, loopback)) return true
  const listed = allowedHosts(flow)
  if (listed.size > 0) return isListed(origin, listed)
  return !loopback || flow.apiKeyId !== null || isHere(origin)
}

/** What a page that may not ask is told: the flow's own words, if it has some. */
export function pageRefusalMessage(flow: FlowRow): string {
  const { allowedOriginsError: message } = chatbotConfigOf(flow)
  return typeof message === 'string' && message !== ''
    ? message
    : 'This site is not allowed to access this chatbot'
}

/**
 * Whether a page is the server's own. One that only this machine can reach has only the names of this machine: a page
 * of another name, even where the request says the same, was led here by whoever owns the name (DNS rebinding).
 */
export const isOwnOrigin = (origin: string, host: string | undefined, loopback: boolean): boolean =>
  hostOf(origin) === host && (!loopback || isHere(origin))

const isHere = (origin: string): boolean => isLoopback(URL.parse(origin)?.hostname ?? '')

/** The host of an origin; the origin itself where it has none, as that of a file has: `null`. */
const hostOf = (origin: string): string => URL.parse(origin)?.host ?? origin

const isListed = (origin: string, hosts: ReadonlySet<string>): boolean =>
  hosts.has('*') || hosts.has(hostOf(origin))

/** `chatbotConfig.allowedOrigins`: a list of origins or hosts; `*` stands for all. */
function allowedHosts(flow: FlowRow): ReadonlySet<string> {
  const { allowedOrigins: listed } = chatbotConfigOf(flow)
  const origins = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : []
  const hosts = origins.map((one) => URL.parse(one)?.host || one.trim())
  return new Set(hosts.filter((host) => host !== ''))
}

/**
 * Which pages of other sites may use a route (the CORS protocol of the Fetch standard): those that may ask the flow, or
 * only those that the flow lists.
 */
export type PageRule = 'allowed' | 'listed'

/**
 * Lets the page that a request comes from read the answer, failures included, if it may have one. Cookies count for
 * nothing here: a page is not let in because of who looks at it.
 *
 * @param flow undefined where it is not known yet; then it is judged later
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

/** How long a browser remembers what it was told, in seconds. */
const REMEMBERED = 600

/** Answers the question that a browser asks before a page may send what a form could not. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply, methods: readonly string[]) {
  const { headers } = request
  const asked = headers['access-control-request-headers']
  return reply
    .headers({
      'access-control-allow-methods': methods.join(', '),
      'access-control-max-age': REMEMBERED,
      ...(asked === undefined ? {} : { 'access-control-allow-headers': asked }),
      // A page of the internet that speaks to a server on this machine or network.
      ...(headers['access-control-request-private-network'] === 'true'
        ? { 'access-control-allow-private-network': 'true' }
        : {}),
    })
    .code(204)
    .send()
}
