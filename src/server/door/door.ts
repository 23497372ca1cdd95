import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../kit/config.ts'
import { SluiceError } from '../../kit/errors.ts'
import { closeStalledReaders } from './answers.ts'
import { createBodyWatch } from './bodies.ts'
import type { Clients } from './client.ts'
import { limitConnections } from './connections.ts'
import { createHostCheck } from './hosts.ts'
import { answerSocket } from './malformed.ts'
import { MEGABYTE, readJson } from './read-json.ts'

/** The limit of a JSON body, in bytes, that a route sets. */
type BodyLimit = { bodyBytes?: (request: FastifyRequest) => number | Promise<number> }

declare module 'fastify' {
  interface FastifyContextConfig extends BodyLimit {}
}

/** What there was too much of for a request that the door has refused. */
export type DoorShedReason = 'connections' | 'body_memory'

/** The default limit of a JSON body, in bytes. */
export const BODY_BYTES = MEGABYTE

/**
 * How long a client may take to send the headers of a request, how often this is checked, and how long a connection may be idle between
 * two requests, in milliseconds. Proxies keep idle connections for up to 60 s: the side that sends requests has to be the one that closes,
 * otherwise a request meets a connection that is being closed, and is lost.
 */
export const CONNECTION_TIMES = {
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5000,
  keepAliveTimeout: 72_000,
}

/**
 * Installs the checks that a request passes before its route: limits of connections, `Host`, whether the route exists,
 * and how fast and how large its body may arrive. The route itself checks access, also before the body is read.
 *
 * Expects `request.client` to be set.
 */
export function openDoor(
  app: FastifyInstance,
  config: Config,
  { clients, onShed }: { clients: Clients; onShed(reason: DoorShedReason): void },
): void {
  const { server } = app
  const checkHost = createHostCheck(config.HOST, config.ALLOWED_HOSTS)
  const bodies = createBodyWatch({
    memory: {
      total: config.BODY_MEMORY_MB * MEGABYTE,
      perAddress: config.BODY_MEMORY_PER_ADDRESS_MB * MEGABYTE,
    },
    rate: config.MIN_BODY_RATE,
    waitMs: config.BODY_WAIT_S * 1000,
    onShed: () => onShed('body_memory'),
  })
  limitConnections(server, {
    total: config.MAX_CONNECTIONS,
    perAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
    clients,
    onShed: () => onShed('connections'),
  })
  closeStalledReaders(server, config.ANSWER_WAIT_S * 1000)
  const expectations = answerExpectations(server)
  refuseTunnels(server)

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (hasBody(raw)) bodies.watch(raw, reply.raw, request.client.address)
    try {
      checkHost(raw)
      if (raw.headers.expect !== undefined && expectations.isUnknown(raw))
        throw new SluiceError('expectation_failed')
      if (request.is404) throw routeNotFound(request)
    } catch (error) {
      return done(error as SluiceError)
    }
    done()
  })
  app.addHook('onClose', async () => bodies.close())
  readBodies(app, expectations.sendContinue)
}

export const routeNotFound = ({ method, url }: { method: string; url: string }) =>
  new SluiceError('route_not_found', { method, path: url.split('?')[0]! })

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/** Answers `Expect: 100-continue` once the body is wanted, and every other expectation with 417. */
function answerExpectations(server: Server) {
  const waiting = new WeakMap<IncomingMessage, ServerResponse>()
  const unknown = new WeakSet<IncomingMessage>()
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response)
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    unknown.add(request)
    server.emit('request', request, response)
  })
  return {
    isUnknown: (request: IncomingMessage) => unknown.has(request),
    sendContinue(request: IncomingMessage): void {
      if (request.headers.expect === undefined) return
      waiting.get(request)?.writeContinue()
      waiting.delete(request)
    },
  }
}

/** This server is no proxy: CONNECT is answered with 404. */
function refuseTunnels(server: Server): void {
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {})
    answerSocket(socket, routeNotFound({ method: 'CONNECT', url: request.url ?? '' }))
  })
}

/**
 * Reads JSON bodies; a multipart body stays a stream that its route reads. Access has been checked by then.
 *
 * @param sendContinue answers `Expect: 100-continue`
 */
function readBodies(app: FastifyInstance, sendContinue: (request: IncomingMessage) => void): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { bodyBytes } = request.routeOptions.config
    const limit = bodyBytes ? await bodyBytes(request) : BODY_BYTES
    return readJson(payload, limit, sendContinue)
  })
  app.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
    sendContinue(request.raw)
    done(null)
  })
  app.addContentTypeParser('*', (request, _payload, done) => {
    const type = request.headers['content-type'] ?? 'none'
    done(
      new SluiceError('content_type_not_accepted', {
        type,
        accepted: 'application/json or multipart/form-data',
      }),
    )
  })
}
