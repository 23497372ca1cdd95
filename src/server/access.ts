import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type ApiKeyRow, type ApiKeyStore, isExpired, type Scope } from '../contract/api-key-store.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { apiKeyHash } from '../kit/key-secret.ts'
import type { Guess } from './door/key-guesses.ts'
import { isForeignPage } from './origins.ts'

/**
 * Who may call a route: anybody, whoever manages the server, whoever has a key (on a server that only this machine can
 * reach, anybody), whoever has a key even there, or whoever may do this with a flow.
 */
export type Access = 'open' | 'manage' | 'keyed' | 'key' | FlowAccess

/**
 * The flow is the one of the path, the one whose job or feedback stands in the path, or one that only the body names.
 * With `or`, either right will do. What is `free` does not count against the limit of the flow.
 */
export type FlowAccess = { flow: FlowScope; or?: FlowScope; by?: 'job' | 'feedback' | 'body'; free?: true }

export type FlowScope = Exclude<Scope, 'manage'>

/** What holds for every request. */
export type ServerRules = {
  adminKey: string | undefined
  keys: ApiKeyStore
  allowOpenUpsert: boolean
}

/** What holds for one request. */
export type AccessRules = ServerRules & {
  /** Whether it comes from this machine, and only this machine can reach the server. */
  loopback: boolean
  /** Counts keys that are wrong; undefined where a wrong key is as good as none. */
  guess: Guess | undefined
}

/** `key` is absent for ADMIN_KEY. */
export type Caller = { admin: true; key?: ApiKeyRow } | { admin: false; key: ApiKeyRow } | undefined

/** The key of an `Authorization` header, with the word Bearer or without. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const value = headers.authorization?.replace(/^Bearer\s+/i, '').trim()
  return value === '' ? undefined : value
}

/** Who calls: undefined for a request without a key, or with one that is unknown or expired. */
export async function identify(rules: AccessRules, headers: IncomingHttpHeaders): Promise<Caller> {
  const presented = presentedKey(headers)
  if (presented === undefined) return undefined
  const hash = apiKeyHash(presented)
  rules.guess?.begin(hash)
  let caller: Caller
  try {
    caller = await callerWith(rules, hash)
  } finally {
    // A look-up that failed counts as a wrong key.
    rules.guess?.end(hash, caller !== undefined)
  }
  return caller
}

async function callerWith(rules: ServerRules, hash: Uint8Array): Promise<Caller> {
  // Hashes of one length: the comparison takes as long whatever was presented.
  if (rules.adminKey !== undefined && timingSafeEqual(hash, apiKeyHash(rules.adminKey)))
    return { admin: true }
  const key = await rules.keys.findByHash(hash)
  const now = Date.now()
  if (!key || isExpired(key, now)) return undefined
  rules.keys.noteUse(key.id, now)
  return { admin: key.scopes.includes('manage'), key }
}

/** Who calls, for the audit log: the name of the key and its id, whether it opens anything or not. */
export async function whoCalls(
  rules: ServerRules,
  headers: IncomingHttpHeaders,
): Promise<{ caller: string; keyId: string | null }> {
  const presented = presentedKey(headers)
  if (presented === undefined) return { caller: 'no key', keyId: null }
  const hash = apiKeyHash(presented)
  const found = (await callerWith(rules, hash)) ?? { key: await rules.keys.findByHash(hash) }
  if (found.key) return { caller: found.key.name, keyId: found.key.id }
  return { caller: 'admin' in found ? 'ADMIN_KEY' : 'an unknown key', keyId: null }
}

/** Tells callers apart: the id of the key, `manager`, or `anybody` for all who show no key that is known. */
export async function callerName(rules: AccessRules, headers: IncomingHttpHeaders): Promise<string> {
  // Open flows take any key: their callers guess nothing.
  const caller = await identify({ ...rules, guess: undefined }, headers)
  return caller ? (caller.admin ? 'manager' : caller.key.id) : 'anybody'
}

async function refusal(rules: AccessRules, headers: IncomingHttpHeaders): Promise<SluiceError> {
  const presented = presentedKey(headers)
  if (presented === undefined) return new SluiceError('unauthorized')
  const key = await rules.keys.findByHash(apiKeyHash(presented))
  return key ? keyRefusal(key) : new SluiceError('key_invalid')
}

/** Why a key that is known opens nothing here. */
export const keyRefusal = (key: ApiKeyRow): SluiceError =>
  isExpired(key, Date.now())
    ? new SluiceError('key_expired', { at: new Date(key.expiresAt!).toISOString() })
    : new SluiceError('key_invalid')

/** @throws SluiceError `unauthorized`, `key_invalid`, `key_expired` */
export async function requireManager(rules: AccessRules, headers: IncomingHttpHeaders): Promise<void> {
  const caller = await identify(rules, headers)
  if (!caller?.admin) throw await refusal(rules, headers)
}

/** Whether the caller has any key of this server, or none is needed. */
export async function hasKey(rules: AccessRules, headers: IncomingHttpHeaders): Promise<boolean> {
  return rules.loopback || (await identify(rules, headers)) !== undefined
}

/** Whoever has a key of this server, whatever it opens. @throws SluiceError `unauthorized`, `key_invalid`, `key_expired` */
export async function requireOwnKey(rules: AccessRules, headers: IncomingHttpHeaders): Promise<void> {
  if ((await identify(rules, headers)) === undefined) throw await refusal(rules, headers)
}

/** @throws SluiceError `unauthorized`, `key_invalid`, `key_expired` */
export async function requireKey(rules: AccessRules, headers: IncomingHttpHeaders): Promise<void> {
  if (!(await hasKey(rules, headers))) throw await refusal(rules, headers)
}

/**
 * A flow without a key is open; a closed one opens to the key it is bound to, to keys that list it, and to managers.
 * Beyond this machine an open flow takes no writes, unless the owner has said so.
 *
 * @throws SluiceError `unauthorized`, `key_invalid`, `key_expired`, `scope_missing`, `open_upsert_refused`, `origin_refused`
 */
export async function requireFlowAccess(
  rules: AccessRules,
  { headers, method }: { headers: IncomingHttpHeaders; method: string },
  flow: FlowRow,
  scope: FlowScope,
): Promise<void> {
  const writes = scope === 'upsert' && method !== 'GET' && method !== 'HEAD'
  const exposed = writes && !rules.loopback && !rules.allowOpenUpsert
  if (flow.apiKeyId === null && !exposed) {
    if (writes && isForeignPage(headers, flow, rules.loopback))
      throw new SluiceError('origin_refused', { flow: flow.slug })
    return
  }
  const caller = await identify(rules, headers)
  if (caller?.admin) return
  if (caller && opens(caller.key, flow)) {
    if (caller.key.scopes.includes(scope)) return
    throw new SluiceError('scope_missing', {
      scope,
      scopes: caller.key.scopes.join(', '),
      hint: `Use a key that has the scope ${scope}, or add it to this one (PUT /api/v1/apikey/:id)`,
    })
  }
  if (flow.apiKeyId !== null) throw await refusal(rules, headers)
  throw new SluiceError('open_upsert_refused', {
    flow: flow.slug,
    hint: 'Bind an API key to the flow (apikeyid), or set ALLOW_OPEN_UPSERT=true',
  })
}

/** Whether a key is meant for a flow; what it may do there is said by its scopes. */
const opens = (key: ApiKeyRow, flow: FlowRow) =>
  key.id === flow.apiKeyId || key.flows.includes(flow.id) || key.flows.includes(flow.slug)
