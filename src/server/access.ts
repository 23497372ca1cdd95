import type { FastifyRequest, FastifyReply } from 'fastify'
import type { ApiKeyRow, KeyScope } from '../contract/api-key-store.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { isForeignPage, admitPage, type PageRule } from './cross-origin.ts'
import { isJobWithin } from '../jobs/job-fence.ts'
import { suggest } from '../kit/suggest.ts'
import type { Platform } from './platform.ts'
import { type Allowance, createRateLimiter } from './rate-limit.ts'

/**
 * Which callers a route admits.
 *
 * - `open`: all
 * - `manage`: callers with ADMIN_KEY or a key with the scope `manage`
 * - `keyed`: callers with any key; on a server that only this machine can reach, all
 * - `key`: callers with any key, also on this machine
 * - `metrics`: callers with METRICS_KEY, and managers; without METRICS_KEY, on a server that only this machine can reach, all
 * - a flow access: callers that have this scope for the flow
 */
export type Access = 'open' | 'manage' | 'keyed' | 'key' | 'metrics' | FlowAccess

/**
 * The flow is the one in the path, the one of the job or feedback in the path, or one that only the body names.
 * With `or`, either scope is enough. A `free` route does not count against the rate limit of the flow.
 */
type FlowAccess = { flow: FlowScope; or?: FlowScope; by?: 'job' | 'feedback' | 'body'; free?: true }

export type FlowScope = Exclude<KeyScope, 'manage'>

/** The parts of a request that access depends on. */
export type AccessRequest = Pick<FastifyRequest, 'caller' | 'client' | 'headers' | 'method'>

/** @throws SluiceError `unauthorized`, `key_invalid`, `key_expired`, `scope_missing` */
export async function requireManager({ caller }: Pick<AccessRequest, 'caller'>): Promise<void> {
  const identified = await caller.identify()
  if (identified?.admin) return
  throw identified ? missingScope('manage', identified.key) : await caller.refusal()
}

/** Whether the caller has any key of this server, or needs none because only this machine can reach the server. */
export async function hasKey({ caller, client }: AccessRequest): Promise<boolean> {
  return client.local || (await caller.identify()) !== undefined
}

/** Admits callers with any key of this server. @throws SluiceError `unauthorized`, `key_invalid`, `key_expired` */
export async function requireOwnKey({ caller }: AccessRequest): Promise<void> {
  if ((await caller.identify()) === undefined) throw await caller.refusal()
}

/** The same, but on a server that only this machine can reach all are admitted. @throws as `requireOwnKey` */
export async function requireKey(request: AccessRequest): Promise<void> {
  if (!(await hasKey(request))) throw await request.caller.refusal()
}

/** Admits readers of metrics. @throws as `requireManager` */
export async function requireMetricsReader({ caller, client }: AccessRequest): Promise<void> {
  if (caller.hasMetricsKey || (client.local && !caller.metricsNeedKey)) return
  await requireManager({ caller })
}

/**
 * A flow without a key is open. A flow with a key admits that key, keys that list the flow, and managers.
 * From other machines an open flow takes no writes, unless `allowOpenUpsert`.
 *
 * @throws SluiceError `unauthorized`, `key_invalid`, `key_expired`, `scope_missing`, `open_upsert_refused`, `origin_refused`
 */
export async function requireFlowAccess(
  { caller, client, headers, method }: AccessRequest,
  { flow, scope, allowOpenUpsert }: { flow: FlowRow; scope: FlowScope; allowOpenUpsert: boolean },
): Promise<void> {
  const writes = scope === 'upsert' && method !== 'GET' && method !== 'HEAD'
  const exposed = writes && !client.local && !allowOpenUpsert
  if (flow.apiKeyId === null && !exposed) {
    if (writes && isForeignPage(headers, flow, client.local))
      throw new SluiceError('origin_refused', { flow: flow.slug })
    return
  }
  const identified = await caller.identify()
  if (identified?.admin) return
  if (identified && opens(identified.key, flow)) {
    if (identified.key.scopes.includes(scope)) return
    throw missingScope(scope, identified.key)
  }
  if (flow.apiKeyId !== null) throw await caller.refusal()
  throw new SluiceError('open_upsert_refused', {
    flow: flow.slug,
    hint: 'Bind an API key to the flow (apikeyid), or set ALLOW_OPEN_UPSERT=true',
  })
}

const missingScope = (scope: KeyScope, { scopes }: ApiKeyRow) =>
  new SluiceError('scope_missing', {
    scope,
    scopes: scopes.join(', '),
    hint: `Use a key that has the scope ${scope}, or add it to this one (PUT /api/v1/apikey/:id)`,
  })

/** Whether a key belongs to a flow; its scopes decide what it may do there. */
const opens = (key: ApiKeyRow, flow: FlowRow) =>
  key.id === flow.apiKeyId || key.flows.includes(flow.id) || key.flows.includes(flow.slug)

/** Which callers and pages a route admits. */
export type Gate = { access: Access; method: string; pages?: PageRule }

export type Admission = {
  /** Decides whether the caller may call, before the body is read. @throws SluiceError the refusal */
  admit(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The same for a flow that only the body names. */
  enter(gate: Gate, request: FastifyRequest, reply: FastifyReply, idOrSlug: string): Promise<FlowRow>
  /**
   * Checks an admitted caller again: its key may have been deleted, or have lost its scope, while the body arrived or the request
   * waited.
   *
   * @param olderThanMs not where it was checked within so many milliseconds
   * @throws SluiceError the refusal
   */
  admitAgain(
    gate: Pick<Gate, 'access' | 'method'>,
    request: FastifyRequest,
    olderThanMs?: number,
  ): Promise<void>
  /** Whether a caller may do this with a flow. */
  may(request: FastifyRequest, flow: FlowRow, scope: FlowScope): Promise<boolean>
  /** Answers a preflight request: whether the page will be admitted. @throws SluiceError `page_refused` */
  admitPreflight(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function createAdmission(platform: Platform): Admission {
  const limiter = createRateLimiter(platform.windows)
  const allowOpenUpsert = platform.config.ALLOW_OPEN_UPSERT

  async function findFlow(idOrSlug: string, request: FastifyRequest): Promise<FlowRow> {
    const flow = await platform.flows.find(idOrSlug)
    if (flow) return flow
    // The hint contains the name of a flow: only callers on this machine or with a key get it.
    const hint = (await hasKey(request)) ? await mostSimilar(idOrSlug, request) : undefined
    throw new SluiceError('flow_not_found', { flow: idOrSlug, ...(hint === undefined ? {} : { hint }) })
  }

  /** The most similar name of a flow that the caller may query. */
  async function mostSimilar(idOrSlug: string, request: FastifyRequest): Promise<string | undefined> {
    const { rows } = await platform.flows.list()
    const similar = suggest(
      idOrSlug,
      rows.map(({ slug }) => slug),
    )
    const match = rows.find(({ slug }) => slug === similar)
    return match && (await may(request, match, 'query')) ? `did you mean ${similar}?` : undefined
  }

  /** The flow in the path, or the flow of the job or feedback in the path. */
  async function flowOfPath({ by }: Pick<FlowAccess, 'by'>, request: FastifyRequest): Promise<FlowRow> {
    const { flowId, id } = request.params as { flowId?: string; id?: string }
    if (by === 'job') {
      const isWithin = isJobWithin(id!, await request.caller.fence())
      const job = isWithin ? await platform.jobs.find(id!) : undefined
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

  async function admitToFlow(
    { access, method, pages }: Gate,
    request: FastifyRequest,
    reply: FastifyReply,
    flow: FlowRow,
  ) {
    if (pages) admitPage(request, reply, { pages, flow, loopback: request.client.local })
    if (typeof access === 'object') {
      // Before the key is checked, so that guesses of keys count too. Reading jobs and sources does not count, nor do
      // questions from the studio: they would use up the limit of a visitor with the same address.
      if (!access.free && !request.caller.session && (access.flow !== 'upsert' || method === 'POST'))
        announceLimit(reply, await limiter.admit(flow, request.client.address))
      if (access.or === undefined || !(await may(request, flow, access.or)))
        await requireFlowAccess(request, { flow, scope: access.flow, allowOpenUpsert })
    }
    request.flow = flow
  }

  const may = (request: FastifyRequest, flow: FlowRow, scope: FlowScope): Promise<boolean> =>
    requireFlowAccess(request, { flow, scope, allowOpenUpsert }).then(
      () => true,
      () => false,
    )

  return {
    may,
    async admitAgain({ access }, request, olderThanMs) {
      if (!(await request.caller.lookAgain(olderThanMs))) return
      if (access === 'manage') return requireManager(request)
      const { flow } = request
      if (typeof access !== 'object' || !flow) return
      if (access.or === undefined || !(await may(request, flow, access.or)))
        await requireFlowAccess(request, { flow, scope: access.flow, allowOpenUpsert })
    },
    async admit(gate, request, reply) {
      const { access, pages } = gate
      if (access === 'manage') return requireManager(request)
      if (access === 'key') return requireOwnKey(request)
      if (access === 'keyed') return requireKey(request)
      if (access === 'metrics') return requireMetricsReader(request)
      if (access === 'open') return pages && admitToFlow(gate, request, reply, await flowOfPath({}, request))
      if (access.by !== 'body') return admitToFlow(gate, request, reply, await flowOfPath(access, request))
    },
    async enter(gate, request, reply, idOrSlug) {
      const flow = await findFlow(idOrSlug, request)
      await admitToFlow(gate, request, reply, flow)
      return flow
    },
    async admitPreflight({ access, pages }, request, reply) {
      const by = typeof access === 'object' ? access.by : undefined
      const { flowId } = request.params as { flowId?: string }
      const flow = by === undefined && flowId ? await platform.flows.find(flowId) : undefined
      admitPage(request, reply, { pages: pages!, flow, loopback: request.client.local })
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
