import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { reasonOf } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import { type Log, quietLog } from '../kit/log.ts'
import { BODY_LIMIT, InvalidJson, takeJsonBodies } from './body.ts'
import type { Event } from './event.ts'
import { EventStore } from './store.ts'
import { readEventInput } from './validate.ts'

export type EventAppOptions = { store?: EventStore; log?: Log }

type ById = { Params: { id: string } }

/**
 * The event service, before it listens. The body of every refusal is `{"error": sentence}`; `openapi.yaml` in this folder
 * describes the answers. For speed the handlers are synchronous and there are no hooks.
 */
export function buildEventApp({
  store = new EventStore(),
  log = quietLog,
}: EventAppOptions = {}): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: 60_000,
    // Requests that arrive on open connections while the service stops are still answered.
    return503OnClosing: false,
    // A path that cannot be decoded is an unknown route.
    frameworkErrors: (_error, _request, reply) => refuse(reply, 404, UNKNOWN_ROUTE),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: Number.MAX_SAFE_INTEGER },
  })
  takeJsonBodies(app)
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, UNKNOWN_ROUTE))
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    // Fastify closes the connection after a body it refuses. A client that is still sending would not see the answer.
    reply.removeHeader('connection')
    // An invalid content type counts as "not JSON": the route answers as to a request without a body.
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && !request.is404)
      return request.routeOptions.handler.call(app, request, reply)
    const [status, sentence] = refusalOf(error, request)
    if (status === 500) log.error('request-failed', { method: request.method, reason: reasonOf(error) })
    refuse(reply, status, sentence)
  })

  app.get('/events', (_request, reply) => {
    if (store.size <= PIECE) answer(reply, 200, store.list())
    else reply.header('content-type', JSON_TYPE).send(Readable.from(jsonPieces(store.list())))
  })

  app.post('/events', (request, reply) => {
    const input = readEventInput(request.body)
    if ('error' in input) return refuse(reply, 400, input.error)
    const event: Event = { id: input.id ?? randomId(), ...input.details }
    store.append(event)
    answer(reply, 201, event)
  })

  app.get<ById>('/events/:id', (request, reply) => {
    const event = store.find(request.params.id)
    if (event) answer(reply, 200, event)
    else refuse(reply, 404, NOT_FOUND)
  })

  app.patch<ById>('/events/:id', (request, reply) => {
    const { id } = request.params
    if (!store.find(id)) return refuse(reply, 404, NOT_FOUND)
    const input = readEventInput(request.body)
    if ('error' in input) return refuse(reply, 400, input.error)
    answer(reply, 200, store.replace(id, input.details))
  })

  app.delete<ById>('/events/:id', (request, reply) => {
    if (store.remove(request.params.id)) reply.code(204).send()
    else refuse(reply, 404, NOT_FOUND)
  })

  return app
}

const JSON_TYPE = 'application/json; charset=utf-8'
const NOT_FOUND = 'Event not found'
const UNKNOWN_ROUTE = 'Endpoint not found'

/** Sends JSON as text, which is faster than to let Fastify serialise the value. */
function answer(reply: FastifyReply, status: number, value: unknown): void {
  reply.code(status).header('content-type', JSON_TYPE).send(JSON.stringify(value))
}

function refuse(reply: FastifyReply, status: number, error: string): void {
  answer(reply, status, { error })
}

/** Status and sentence of a refusal by Fastify; every other error is a 500. */
function refusalOf(error: FastifyError, request: FastifyRequest): [status: number, sentence: string] {
  if (error instanceof InvalidJson) return [400, error.message]
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return [413, 'Request body is larger than 100 kB']
  if (request.is404) return [404, UNKNOWN_ROUTE]
  if ((error.statusCode ?? 500) < 500) return [400, 'Request could not be read']
  return [500, 'Internal server error']
}

/** The number of events in one piece of a list. */
const PIECE = 1000

/** The JSON array of a long list, in pieces: so other requests are answered in between, and no string gets too long. */
async function* jsonPieces(events: readonly Event[]): AsyncGenerator<string> {
  for (let start = 0; start < events.length; start += PIECE) {
    const inner = JSON.stringify(events.slice(start, start + PIECE)).slice(1, -1)
    yield (start === 0 ? '[' : ',') + inner
    await setImmediate()
  }
  yield ']'
}
