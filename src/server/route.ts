import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FlowRow } from '../db/flows.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Json } from '../kit/json.ts'
import {
  type Access,
  type AccessRules,
  callerName,
  type FlowScope,
  requireFlowAccess,
  requireManager,
} from './access.ts'
import type { Platform } from './platform.ts'
import { type Allowance, createRateLimiter } from './rate-limit.ts'

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
  params?: P
  query?: Q
  /** Headers that the handler heeds, for the description. */
  headers?: Shape
  /** Shape of a JSON body; an absent body counts as `{}`. */
  body?: B
  /** The content types it takes, where JSON is not the only one; a form is read by the handler. */
  accepts?: readonly string[]
  answer: Answer
  /** Other answers that are no failures; the handler sends them itself. */
  also?: readonly Answer[]
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
  /** Whether the caller may do this as well with the flow of the path. */
  may(scope: FlowScope): Promise<boolean>
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
  rules: AccessRules,
  routes: readonly Route[],
): void {
  const flowOf = new WeakMap<FastifyRequest, FlowRow>()

  const limiter = createRateLimiter()

  const flowOfPath = async ({ params }: FastifyRequest) => {
    const { flowId } = params as { flowId: string }
    const flow = await platform.flows.find(flowId)
    if (!flow) throw new SluiceError('flow_not_found', { flow: flowId })
    return flow
  }

  const flowOfJob = async ({ params }: FastifyRequest) => {
    const { id } = params as { id: string }
    const job = await platform.jobs.find(id)
    const flow = job && (await platform.flows.find(job.flowId))
    if (!flow) throw new SluiceError('job_not_found', { id })
    return flow
  }

  const admit = async (request: FastifyRequest, reply: FastifyReply, { access, method }: Route) => {
    if (access === 'manage') await requireManager(rules, request.headers)
    if (typeof access === 'string') return
    const ofJob = access.by === 'job'
    const flow = ofJob ? await flowOfJob(request) : await flowOfPath(request)
    // Before the key is looked at: who guesses keys is slowed down too. Looking at jobs and sources is free.
    if (!ofJob && (access.flow !== 'upsert' || method === 'POST'))
      announceLimit(reply, limiter.admit(flow, request.ip))
    const { or } = access
    if (or === undefined || !(await may(request, flow, or)))
      await requireFlowAccess(rules, request, flow, access.flow)
    flowOf.set(request, flow)
  }

  const may = (request: FastifyRequest, flow: FlowRow, scope: FlowScope): Promise<boolean> =>
    requireFlowAccess(rules, request, flow, scope).then(
      () => true,
      () => false,
    )

  for (const declared of routes) {
    app.route({
      method: declared.method,
      url: declared.url,
      onRequest: (request, reply) => admit(request, reply, declared),
      handler: async (request, reply) => {
        if (isForm(request) && !declared.accepts?.includes(FORM))
          throw new SluiceError('content_type_not_accepted', { type: FORM, accepted: 'application/json' })
        const result = await declared.handle({
          params: check('query_invalid', declared.params, request.params),
          query: check('query_invalid', declared.query, request.query),
          body: check('body_invalid', declared.body, request.body ?? {}),
          flow: flowOf.get(request)!,
          caller: () => callerName(rules, request.headers),
          may: (scope) => may(request, flowOf.get(request)!, scope),
          request,
          reply,
        } as Call<never, never, never>)
        if (reply.sent) return reply
        reply.code(declared.answer.status ?? 200)
        if (declared.answer.type) reply.type(declared.answer.type)
        return reply.send(result)
      },
    })
  }
}

function announceLimit(reply: FastifyReply, allowance: Allowance | undefined): void {
  if (!allowance) return
  reply.headers({
    'ratelimit-limit': allowance.limit,
    'ratelimit-remaining': allowance.remaining,
    'ratelimit-reset': allowance.resetSeconds,
  })
}

function check(code: 'body_invalid' | 'query_invalid', shape: Shape | undefined, value: unknown): unknown {
  if (!shape) return undefined
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const { path, message } = result.error.issues[0]!
  throw new SluiceError(code, { reason: path.length > 0 ? `${path.join('.')}: ${message}` : message })
}

/** A JSON object. A body that was parsed holds nothing but JSON: there is nothing to check in its values. */
export const jsonObject = z.record(z.string(), z.custom<Json>())

/** Paging by the query string, the same on every list of ours. */
export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
})
