import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../kit/config.ts'
import { SluiceError } from '../kit/errors.ts'
import { createAdmission, hasKey } from './access.ts'
import { auditCall, isAudited, objectIdOf } from './audit-calls.ts'
import { ANYBODY, ownerOfJobs } from './caller.ts'
import { answerPreflight } from './cross-origin.ts'
import { closeStalledReaders } from './door/answers.ts'
import { createBodyWatch } from './door/bodies.ts'
import type { Clients } from './door/client.ts'
import { limitConnections } from './door/connections.ts'
import { createHostCheck } from './door/hosts.ts'
import { answerSocket } from './door/malformed.ts'
import { MEGABYTE, readJson } from './door/read-json.ts'
import type { EndRequest, RequestQueue } from './door/request-queue.ts'
import type { Platform } from './platform.ts'
import { createDailyQuotas } from './quotas.ts'
import { readShape } from './read-shape.ts'
import { type Call, clientGone, FORM, isForm, type Route, type Shape } from './route.ts'

/** The limit of a JSON body, in bytes, that a route sets. */
type BodyLimit = { bodyBytes?: (request: FastifyRequest) => number | Promise<number> }

declare module 'fastify' {
  interface FastifyContextConfig extends BodyLimit {}
}

/** What there was too much of for a request that the door has refused. */
export type DoorShedReason = 'connections' | 'body_memory'

/** The default limit of a JSON body, in bytes. */
const BODY_BYTES = MEGABYTE

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

/** Adds declared routes to the server. Whether a caller may call is decided before the body is read. */
export function mount(
  app: FastifyInstance,
  platform: Platform,
  { routes, queue }: { routes: readonly Route[]; queue: RequestQueue },
): void {
  const { audit } = platform
  const admission = createAdmission(platform)
  const quotas = createDailyQuotas(platform.keys)

  /** Where only the body names the flow, access is not decided yet: then a large body is only for callers with a key. */
  const bodyBytes = ({ access, bodyMegabytes = 1 }: Route) => {
    const bytes = bodyMegabytes * MEGABYTE
    const decided = access !== 'open' && (typeof access !== 'object' || access.by !== 'body')
    return async (request: FastifyRequest) => (decided || (await hasKey(request)) ? bytes : BODY_BYTES)
  }

  for (const declared of routes) {
    const { access, accepts, answer, bodyMegabytes, method, pages, url } = declared
    app.route({
      method,
      url,
      config: {
        audited: isAudited(declared),
        ...(declared.givesSecret ? { givesSecret: true } : {}),
        ...(bodyMegabytes === undefined ? {} : { bodyBytes: bodyBytes(declared) }),
      },
      ...(access === 'open' && !pages
        ? {}
        : {
            async onRequest(request, reply) {
              await admission.admit(declared, request, reply)
              if (access !== 'open' && declared.pinned === undefined) await refusePinned(request, declared)
            },
          }),
      // Only audited routes have this hook: with it, Fastify listens for the end of each answer, which costs time.
      ...(isAudited(declared)
        ? {
            onResponse(request, reply, done) {
              void auditCall(audit, request, reply.statusCode)
              done()
            },
          }
        : {}),
      handler: async (request, reply) => {
        if (isForm(request) && !accepts?.includes(FORM))
          throw new SluiceError('content_type_not_accepted', { type: FORM, accepted: 'application/json' })
        const endRequest = await waitInQueue(queue, declared, request, reply)
        try {
          await admission.admitAgain(declared, request, FRESH_MS)
          return await answerCall(request, reply)
        } finally {
          endRequest()
        }
      },
    })

    async function answerCall(request: FastifyRequest, reply: FastifyReply) {
      const result = await declared.handle({
        params: check('query_invalid', declared.params, request.params),
        query: check('query_invalid', declared.query, request.query),
        body: check('body_invalid', declared.body, request.body ?? {}),
        flow: request.flow!,
        enter: (idOrSlug) => admission.enter(declared, request, reply, idOrSlug),
        hasKey: () => hasKey(request),
        isLocal: () => request.client.local,
        caller: () => request.caller.name(),
        owner: async () => ownerOfJobs(await request.caller.name(), request.flow!),
        fence: () => request.caller.fence(),
        admitAgain: () => admission.admitAgain(declared, request),
        spend: (quota, amount) => quotas.spend(request.caller, reply, quota, amount),
        may: (scope, flow = request.flow!) => admission.may(request, flow, scope),
        clientGone: () => clientGone(reply),
        request,
        reply,
      } as Call<never, never, never>)
      if (access === 'manage') request.objectId = objectIdOf(result)
      // The handler has sent the answer itself, or the client of a stream has left.
      if (reply.sent || reply.raw.headersSent) return reply
      reply.code(answer.status ?? 200)
      if (answer.type) reply.type(answer.type)
      return reply.send(result)
    }
  }

  const crossOrigin = routes.filter(({ pages }) => pages)
  for (const sameUrl of Map.groupBy(crossOrigin, ({ url }) => url.replace(/:\w+/g, ':')).values())
    app.options(sameUrl[0]!.url, async (request, reply) => {
      await admission.admitPreflight(sameUrl[0]!, request, reply)
      return answerPreflight(
        request,
        reply,
        sameUrl.map(({ method }) => method),
      )
    })
}

const NOTHING_TO_END: EndRequest = () => {}

/** For how long the check of a caller counts, in milliseconds, where a body arrived or the request waited in the queue. */
const FRESH_MS = 1000

/**
 * Waits until a request may begin. After its body has arrived and its caller was admitted: a slow sender holds no place.
 *
 * @throws SluiceError `server_busy`, `cancelled`
 */
async function waitInQueue(
  queue: RequestQueue,
  { work = 'waiting' }: Route,
  { caller, client }: FastifyRequest,
  reply: FastifyReply,
): Promise<EndRequest> {
  if (work === 'free') return NOTHING_TO_END
  // Callers without a known key share the places of their address. A database that is away is for the route to tell.
  const name = await caller.name().catch(() => ANYBODY)
  const owner = name === ANYBODY ? `address:${client.address}` : `key:${name}`
  return queue.take(owner, work, () => clientGone(reply))
}

/** @throws SluiceError `pinned_key_refused` */
async function refusePinned({ caller }: FastifyRequest, { access, method, url }: Route): Promise<void> {
  // It is no key of the database, which may be away while the metrics are read.
  if (access === 'metrics' && caller.hasMetricsKey) return
  if (await caller.fence()) throw new SluiceError('pinned_key_refused', { what: `${method} ${url}` })
}

const check = (code: 'body_invalid' | 'query_invalid', shape: Shape | undefined, value: unknown) =>
  shape && readShape(code, shape, value)
