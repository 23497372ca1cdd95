import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlowRow } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { suggest } from '../kit/suggest.ts'
import {
  type Access,
  type AccessRules,
  type FlowAccess,
  type FlowScope,
  hasKey,
  requireFlowAccess,
  requireKey,
  requireManager,
  requireOwnKey,
  type ServerRules,
} from './access.ts'
import type { Door } from './door/door.ts'
import { admitPage, type Pages } from './pages-of-others.ts'
import type { Platform } from './platform.ts'
import { type Allowance, createRateLimiter } from './rate-limit.ts'

/** What a route says of who may call it. */
export type Gate = { access: Access; method: string; pages?: Pages }

export type Admission = {
  /** Settles who may call before a byte of the body is read. @throws SluiceError why the caller may not */
  admit(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The same for a flow that is only known from the body. */
  enter(gate: Gate, request: FastifyRequest, reply: FastifyReply, idOrSlug: string): Promise<FlowRow>
  /** The flow that the caller was let into. */
  flowOf(request: FastifyRequest): FlowRow | undefined
  /** Whether a caller may do this with a flow. */
  may(request: FastifyRequest, flow: FlowRow, scope: FlowScope): Promise<boolean>
  /** Whether the page that asks beforehand will be let in. @throws SluiceError `page_refused` */
  admitPreflight(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** What holds for one request. */
  rulesFor(request: FastifyRequest): AccessRules
}

export function createAdmission(platform: Platform, serverRules: ServerRules, door: Door): Admission {
  const admitted = new WeakMap<FastifyRequest, FlowRow>()
  const limiter = createRateLimiter()
  const known = new WeakMap<FastifyRequest, AccessRules>()

  function rulesFor(request: FastifyRequest): AccessRules {
    let rules = known.get(request)
    if (!rules) {
      const { address, local } = door.clients.of(request.raw)
      rules = { ...serverRules, loopback: local, guess: door.guesses.of(address) }
      known.set(request, rules)
    }
    return rules
  }

  async function findFlow(idOrSlug: string, request: FastifyRequest): Promise<FlowRow> {
    const flow = await platform.flows.find(idOrSlug)
    if (flow) return flow
    // The names of flows are for callers who may know them: on this machine, or with a key.
    const hint = (await hasKey(rulesFor(request), request.headers))
      ? await nearest(idOrSlug, request)
      : undefined
    throw new SluiceError('flow_not_found', { flow: idOrSlug, ...(hint === undefined ? {} : { hint }) })
  }

  /** The nearest name among the flows that the caller may ask. */
  async function nearest(idOrSlug: string, request: FastifyRequest): Promise<string | undefined> {
    const { rows } = await platform.flows.list()
    const near = suggest(
      idOrSlug,
      rows.map(({ slug }) => slug),
    )
    const meant = rows.find(({ slug }) => slug === near)
    return meant && (await may(request, meant, 'query')) ? `did you mean ${near}?` : undefined
  }

  /** The flow that the path names, itself or by what belongs to it. */
  async function flowOfPath({ by }: Pick<FlowAccess, 'by'>, request: FastifyRequest): Promise<FlowRow> {
    const { flowId, id } = request.params as { flowId?: string; id?: string }
    if (by === 'job') {
      const job = await platform.jobs.find(id!)
      const flow = job && (await platform.flows.find(job.flowId))
      if (!flow) throw new SluiceError('job_not_found', { id: id! })
      return flow
    }
    if (by === 'feedback') {
      const feedback = await platform.feedback.find(id!)
      if (!feedback) throw new SluiceError('feedback_not_found', { id: id! })
      return findFlow(feedback.flowId, request)
    }
    return findFlow(flowId!, request)
  }

  async function letIn(
    { access, method, pages }: Gate,
    request: FastifyRequest,
    reply: FastifyReply,
    flow: FlowRow,
  ) {
    if (pages) admitPage(request, reply, { pages, flow, loopback: rulesFor(request).loopback })
    if (typeof access === 'object') {
      // Before the key is looked at: who guesses keys is slowed down too. Looking at jobs and sources is free.
      if (!access.free && (access.flow !== 'upsert' || method === 'POST'))
        announceLimit(reply, limiter.admit(flow, door.clients.of(request.raw).address))
      if (access.or === undefined || !(await may(request, flow, access.or)))
        await requireFlowAccess(rulesFor(request), request, flow, access.flow)
    }
    admitted.set(request, flow)
  }

  const may = (request: FastifyRequest, flow: FlowRow, scope: FlowScope): Promise<boolean> =>
    requireFlowAccess(rulesFor(request), request, flow, scope).then(
      () => true,
      () => false,
    )

  return {
    may,
    rulesFor,
    flowOf: (request) => admitted.get(request),
    async admit(gate, request, reply) {
      const { access, pages } = gate
      if (access === 'manage') return requireManager(rulesFor(request), request.headers)
      if (access === 'key') return requireOwnKey(rulesFor(request), request.headers)
      if (access === 'keyed') return requireKey(rulesFor(request), request.headers)
      if (access === 'open') return pages && letIn(gate, request, reply, await flowOfPath({}, request))
      if (access.by !== 'body') return letIn(gate, request, reply, await flowOfPath(access, request))
    },
    async enter(gate, request, reply, idOrSlug) {
      const flow = await findFlow(idOrSlug, request)
      await letIn(gate, request, reply, flow)
      return flow
    },
    async admitPreflight({ access, pages }, request, reply) {
      const by = typeof access === 'object' ? access.by : undefined
      const { flowId } = request.params as { flowId?: string }
      const flow = by === undefined && flowId ? await platform.flows.find(flowId) : undefined
      admitPage(request, reply, { pages: pages!, flow, loopback: rulesFor(request).loopback })
    },
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
