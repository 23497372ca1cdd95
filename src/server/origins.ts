import type { IncomingHttpHeaders } from 'node:http'
import type { FlowRow } from '../db/flows.ts'
import { isObject } from '../kit/json.ts'

/**
 * Whether a browser sent the request from a page of another site that the flow does not list. Without this, any page
 * that somebody looks at could write into a server on their own machine: a form needs no permission to be sent.
 */
export function isForeignPage(headers: IncomingHttpHeaders, flow: FlowRow): boolean {
  const { origin, host } = headers
  if (origin === undefined) return headers['sec-fetch-site'] === 'cross-site'
  const from = URL.parse(origin)?.host
  return from !== host && !allowedHosts(flow).has(from ?? origin)
}

/** `chatbotConfig.allowedOrigins`: a list of origins or hosts. */
function allowedHosts({ config }: FlowRow): ReadonlySet<string> {
  const listed = isObject(config.chatbotConfig) ? config.chatbotConfig.allowedOrigins : undefined
  const origins = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : []
  return new Set(origins.map((one) => URL.parse(one)?.host || one.trim()))
}
