import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { pageIfAsked } from '../api/paging.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Page } from '../kit/paging.ts'
import { type Access, callerName, type FlowScope, hasKey, type ServerRules } from './access.ts'
import { createAdmission } from './admission.ts'
import type { AuditCalls } from './audit-calls.ts'
import { BODY_BYTES, type Door } from './door/door.ts'
import { MEGABYTE } from './door/read-json.ts'
import { answerPreflight, type Pages } from './pages-of-others.ts'
import type { Platform } from './platform.ts'
import { readShape } from './read-shape.ts'

type Shape = z.ZodType
type Out<S extends Shape | undefined> = S extends Shape ? z.output<S> : undefined

type Answer = { status?: number; description: string; shape?: Shape; type?: string }

/** What a route says of itself: who may call, what it takes, what it answers. Checks and `/openapi.json` come from here. */
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
  /** Which pages of other sites may call it; none unless given. */
  pages?: Pages
  params?: P
  query?: Q
  /** Headers that the handler heeds, for the description. */
  headers?: Shape
  /** Shape of a JSON body; an absent body counts as `{}`. */
  body?: B
  /** The most that a JSON body may have; 1 MB unless given. */
  bodyMegabytes?: number
  /** The content types it takes, where JSON is not the only one; a form is read by the handler. */
  accepts?: readonly string[]
  answer: Answer
  /** Other answers that are no failures; the handler sends them itself. */
  also?: readonly Answer[]
  /** Another shape that a failure may have, where the route speaks a protocol that has one. */
  failure?: Shape
  handle(call: Call<Out<P>, Out<Q>, Out<B>>): Promise<unknown>
}

export type Call<P, Q, B> = {
  params: P
  query: Q
  body: B
  /** The flow of the path, on flow routes; asking for it elsewhere is a mistake in the route. */
  flow: FlowRow
  /** A name that tells callers apart. */
  caller(): Promise<string>
  /** Whether the caller has any key, or needs none. */
  hasKey(): Promise<boolean>
  /** Whether the request comes from this machine, and only this machine can reach the server. */
  isLocal(): boolean
  /** Lets the caller into a flow that the body names, on routes that say so. @throws SluiceError why not */
  enter(idOrSlug: string): Promise<FlowRow>
  /** Whether the caller may do this as well, with the flow of the path or another. */
  may(scope: FlowScope, flow?: FlowRow): Promise<boolean>
  request: FastifyRequest
  reply: FastifyReply
}

export type Route = Declaration<Shape | undefined, Shape | undefined, Shape | undefined>

/** Declares a route; the types of what its handler gets follow from its shapes. */
export function route<
  const P extends Shape | undefined = undefined,
  const Q extends Shape | undefined = undefined,
  const B extends Shape | undefined = undefined,
>(declaration: Declaration<P, Q, B>): Route {
  return declaration as unknown as Route
}

const FORM = 'multipart/form-data'

/** Whether the body of a request is a multipart form; media types know no case (RFC 9110, 8.3.1). */
export const isForm = (request: FastifyRequest): boolean =>
  request.headers['content-type']?.toLowerCase().startsWith(FORM) ?? false

/** Puts declared routes on the server. Who may call is settled before a byte of the body is read. */
export function mount(
  app: FastifyInstance,
  platform: Platform,
  { rules, door, audit }: { rules: ServerRules; door: Door; audit: AuditCalls },
  routes: readonly Route[],
): void {
  const admission = createAdmission(platform, rules, door)

  /** Who may call is not settled yet where only the body names the flow: a large body is then for callers with a key. */
  const bodyBytes = ({ access, bodyMegabytes = 1 }: Route) => {
    const bytes = bodyMegabytes * MEGABYTE
    const settled = access !== 'open' && (typeof access !== 'object' || access.by !== 'body')
    return async (request: FastifyRequest) =>
      settled || (await hasKey(admission.rulesFor(request), request.headers)) ? bytes : BODY_BYTES
  }

  for (const declared of routes) {
    app.route({
      method: declared.method,
      url: declared.url,
      config: declared.bodyMegabytes === undefined ? {} : { bodyBytes: bodyBytes(declared) },
      onRequest: (request, reply) => admission.admit(declared, request, reply),
      onResponse: (request, reply) => audit.answered(declared, request, reply),
      handler: async (request, reply) => {
        if (isForm(request) && !declared.accepts?.includes(FORM))
          throw new SluiceError('content_type_not_accepted', { type: FORM, accepted: 'application/json' })
        const result = await declared.handle({
          params: check('query_invalid', declared.params, request.params),
          query: check('query_invalid', declared.query, request.query),
          body: check('body_invalid', declared.body, request.body ?? {}),
          flow: admission.flowOf(request)!,
          enter: (idOrSlug) => admission.enter(declared, request, reply, idOrSlug),
          hasKey: () => hasKey(admission.rulesFor(request), request.headers),
          isLocal: () => admission.rulesFor(request).loopback,
          caller: () => callerName(admission.rulesFor(request), request.headers),
          may: (scope, flow = admission.flowOf(request)!) => admission.may(request, flow, scope),
          request,
          reply,
        } as Call<never, never, never>)
        if (declared.access === 'manage') audit.made(request, result)
        // A stream whose client has left is over without having been sent to its end.
        if (reply.sent || reply.raw.headersSent) return reply
        reply.code(declared.answer.status ?? 200)
        if (declared.answer.type) reply.type(declared.answer.type)
        return reply.send(result)
      },
    })
  }

  const embeddable = routes.filter(({ pages }) => pages)
  for (const together of Map.groupBy(embeddable, ({ url }) => url.replace(/:\w+/g, ':')).values())
    app.options(together[0]!.url, async (request, reply) => {
      await admission.admitPreflight(together[0]!, request, reply)
      return answerPreflight(
        request,
        reply,
        together.map(({ method }) => method),
      )
    })
}

const check = (code: 'body_invalid' | 'query_invalid', shape: Shape | undefined, value: unknown) =>
  shape && readShape(code, shape, value)

/** The page that was asked for; undefined where the whole list was. */
export const askedPage = ({ page, limit }: z.output<typeof pageIfAsked>): Page | undefined =>
  page === undefined && limit === undefined ? undefined : { page: page ?? 1, limit: limit ?? 50 }
