import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Fence } from '../contract/fence.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import type { DailyQuota } from '../contract/quota.ts'
import { SluiceError } from '../kit/errors.ts'
import { type Access, type FlowScope, hasKey, createAdmission } from './access.ts'
import { auditCall, isAudited, objectIdOf } from './audit-calls.ts'
import { ANYBODY, ownerOfJobs } from './caller.ts'
import { answerPreflight, type PageRule } from './cross-origin.ts'
import { BODY_BYTES } from './door/door.ts'
import type { EndRequest, RequestQueue, RequestWork } from './door/request-queue.ts'
import { MEGABYTE } from './door/read-json.ts'
import type { Platform } from './platform.ts'
import { createDailyQuotas } from './quotas.ts'
import { readShape } from './read-shape.ts'

type Shape = z.ZodType
type Out<S extends Shape | undefined> = S extends Shape ? z.output<S> : undefined

type Answer = { status?: number; description: string; shape?: Shape; type?: string }

/** One route: access, input, answer. The checks of requests and `/openapi.json` are made from it. */
export type Declaration<
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends Shape | undefined,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  summary: string
  tag: string
  access: Access
  /** Whether its answers hold a new key, code or session. */
  givesSecret?: true
  /** Whether its calls go into the audit log; calls of routes with access `manage` always do. */
  audited?: boolean
  /**
   * What callers with a pinned key may do here. `fenced`: the handler works within their fence. `harmless`: it gives and
   * changes nothing that was loaded or asked. Without it they are refused, except on routes that all may call.
   */
  pinned?: 'fenced' | 'harmless'
  /** What a call does to others, see `RequestWork`; `waiting` unless given. */
  work?: RequestWork
  /** Which pages of other sites may call it; by default none. */
  pages?: PageRule
  params?: P
  query?: Q
  /** Headers that the handler reads, for the description. */
  headers?: Shape
  /** Shape of a JSON body; a missing body counts as `{}`. */
  body?: B
  /** The limit of a JSON body in MB; by default 1. */
  bodyMegabytes?: number
  /** The accepted content types, if there are others than JSON; the handler reads a form itself. */
  accepts?: readonly string[]
  answer: Answer
  /** Other successful answers; the handler sends them itself. */
  also?: readonly Answer[]
  /** The shape of a failure, if the protocol of the route has its own. */
  failure?: Shape
  handle(call: Call<Out<P>, Out<Q>, Out<B>>): Promise<unknown>
}

export type Call<P, Q, B> = {
  params: P
  query: Q
  body: B
  /** The flow of the path; only on flow routes. */
  flow: FlowRow
  /** The name of the caller, unique per key. */
  caller(): Promise<string>
  /** Whose turn a job of this request takes, see `jobOwner`; only on flow routes. */
  owner(): Promise<string>
  /** What limits the caller to the documents of its pins; undefined for a caller without pins. */
  fence(): Promise<Fence | undefined>
  /**
   * Counts what the request uses of a daily quota of the caller's key.
   *
   * @throws SluiceError `quota_exceeded`
   */
  spend(quota: DailyQuota, amount: number): Promise<void>
  /** Checks the caller again, once the handler has received a body itself. @throws SluiceError the refusal */
  admitAgain(): Promise<void>
  /** Whether the caller has any key, or needs none because only this machine can reach the server. */
  hasKey(): Promise<boolean>
  /** Whether the request comes from this machine, and only this machine can reach the server. */
  isLocal(): boolean
  /** Admits the caller to a flow that the body names, on routes with `by: 'body'`. @throws SluiceError the refusal */
  enter(idOrSlug: string): Promise<FlowRow>
  /** Whether the caller has this scope for the flow of the path, or for another. */
  may(scope: FlowScope, flow?: FlowRow): Promise<boolean>
  /** A signal that aborts, with `cancelled`, when the client leaves before it has its answer. */
  clientGone(): AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

export type Route = Declaration<Shape | undefined, Shape | undefined, Shape | undefined>

/** Declares a route. The types of the handler's parameters follow from the shapes. */
export function route<
  const P extends Shape | undefined = undefined,
  const Q extends Shape | undefined = undefined,
  const B extends Shape | undefined = undefined,
>(declaration: Declaration<P, Q, B>): Route {
  return declaration as unknown as Route
}

const FORM = 'multipart/form-data'

/** Whether the body of a request is a multipart form; media types are case-insensitive (RFC 9110, 8.3.1). */
export const isForm = (request: FastifyRequest): boolean =>
  request.headers['content-type']?.toLowerCase().startsWith(FORM) ?? false

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

/** Aborts, with `cancelled`, when the client leaves before it has its answer. Then no more work is done for it. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    if (!raw.writableFinished) gone.abort(new SluiceError('cancelled'))
  }
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return gone.signal
}
