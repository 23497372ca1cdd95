import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { randomId } from '../kit/hash.ts'
import type { LogFacts } from '../kit/log.ts'

/** The header that names a request, in requests, answers and, as `request`, in the log. */
export const REQUEST_ID_HEADER = 'x-request-id'

const WELL_FORMED = /^[\w.:-]{1,128}$/

/** The id that the client gave, where it is 1 to 128 letters, digits and `_.:-`; else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[REQUEST_ID_HEADER]
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomId()
}

/** Which request a log line is about: id, method and route, with the names of parameters in place of their values. */
export const trailOf = ({ id, method, routeOptions }: FastifyRequest): LogFacts => ({
  request: id,
  method,
  route: routeOptions.url,
})
