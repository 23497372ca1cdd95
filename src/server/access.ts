import type { FastifyRequest } from 'fastify'
import type { ApiKeyRow, KeyScope } from '../contract/api-key-store.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { isForeignPage } from './cross-origin.ts'

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
export type FlowAccess = { flow: FlowScope; or?: FlowScope; by?: 'job' | 'feedback' | 'body'; free?: true }

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
