import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlowRow } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { isForeignPage, mayAsk, refusalOf } from './origins.ts'

/**
 * Which pages of other sites may use a route (the CORS protocol of the Fetch standard): those that may ask the flow, or
 * only those that the flow lists.
 */
export type Pages = 'asking' | 'listed'

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
  { pages, flow, loopback }: { pages: Pages; flow: FlowRow | undefined; loopback: boolean },
): void {
  const { origin } = headers
  if (origin === undefined) return
  reply.header('vary', 'origin')
  if (flow && pages === 'listed' && isForeignPage(headers, flow, loopback)) return
  if (flow && pages === 'asking' && !mayAsk(headers, flow, loopback))
    throw new SluiceError('page_refused', {
      message: refusalOf(flow),
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
