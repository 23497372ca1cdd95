import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { randomToken } from '../kit/hash.ts'
import { flowFacts } from '../kit/flow-facts.ts'
import type { LogFacts } from '../kit/log.ts'

/** The header with the id of a request, in requests and answers. In the log it is `request`. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** The first part of new ids: it differs for each process, so that their ids differ. */
const PROCESS = randomToken(12)

let count = 0

const WELL_FORMED = /^[\w.:-]{1,128}$/

/** The id that the client sent, if it has 1 to 128 letters, digits and `_.:-`; otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers[REQUEST_ID_HEADER]
  return typeof sent === 'string' && WELL_FORMED.test(sent) ? sent : `${PROCESS}-${++count}`
}

/** The request of a log line: id, method, and the route with names of parameters instead of their values; and its flow. */
export const trailOf = ({ id, method, routeOptions, flow }: FastifyRequest): LogFacts => ({
  request: id,
  method,
  route: routeOptions.url,
  ...flowFacts(flow),
})
