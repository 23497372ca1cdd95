import type { IncomingHttpHeaders } from 'node:http'
import type { FlowRow } from '../contract/flow-store.ts'
import { isLoopback } from '../kit/config.ts'
import { chatbotConfigOf } from './flow-row.ts'

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
export function mayAsk({ origin, host }: IncomingHttpHeaders, flow: FlowRow, loopback: boolean): boolean {
  if (origin === undefined || isOwnOrigin(origin, host, loopback)) return true
  const listed = allowedHosts(flow)
  if (listed.size > 0) return isListed(origin, listed)
  return !loopback || flow.apiKeyId !== null || isHere(origin)
}

/** What a page that may not ask is told: the flow's own words, if it has some. */
export function refusalOf(flow: FlowRow): string {
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
