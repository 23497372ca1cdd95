import { keyList, keyParams, keyPatch, keyShape, newKeyBody, newKeyShape } from '../../api/api-key.ts'
import { idParams } from '../../api/params.ts'
import { type ApiKeyRow, type KeyScope, SCOPES } from '../../contract/api-key-store.ts'
import { checkPins, requireNarrow } from '../../callers/pins.ts'
import { fenceOf } from '../../documents/fence.ts'
import { checkQuotas, dayOf } from '../../callers/quotas.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { newApiKey } from '../../kit/key-secret.ts'
import { MANAGEMENT, isoTime, removalAnswer, removedRows } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'

export function apiKeyRoutes(platform: Platform): Route[] {
  const { keys, flows, stores } = platform

  /** Flows are stored by id: a key keeps its flows when their slugs change. */
  const flowIds = (names: readonly string[]) =>
    Promise.all(names.map(async (name) => (await findFlow(flows, name)).id))

  /** How much of its quotas a key has used: today, and of chunks now. */
  async function usedOf({ id, pins, quotas }: ApiKeyRow) {
    const ofToday = await keys.used(id, dayOf(Date.now()))
    const fence = quotas.chunks === undefined ? undefined : fenceOf(pins)
    return {
      ...(fence ? { chunks: await stores.chunksWithin(fence.id) } : {}),
      ...(quotas.bytes === undefined ? {} : { bytes: ofToday.bytes }),
      ...(quotas.questions === undefined ? {} : { questions: ofToday.questions }),
    }
  }

  async function present(key: ApiKeyRow) {
    const bound = await flows.boundTo(key.id)
    return {
      id: key.id,
      keyName: key.name,
      scopes: key.scopes,
      flows: key.flows,
      pins: key.pins,
      quotas: key.quotas,
      used: await usedOf(key),
      chatFlows: bound.map(({ id, name, slug }) => ({ id, flowName: name, slug })),
      createdDate: isoTime(key.createdAt),
      expiresAt: isoTimeOrNull(key.expiresAt),
      lastUsedAt: isoTimeOrNull(key.lastUsedAt),
    }
  }

  async function find(id: string): Promise<ApiKeyRow> {
    const key = await keys.find(id)
    if (!key) throw new SluiceError('key_not_found', { id })
    return key
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/apikey',
      summary: 'All API keys, without the keys themselves',
      answer: { description: 'The keys', shape: keyList },
      handle: async () => Promise.all((await keys.list()).map(present)),
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/apikey',
      givesSecret: true,
      summary: 'Create an API key; only this answer contains it. The flows in bind need it from now on',
      body: newKeyBody,
      answer: { description: 'The key', shape: newKeyShape },
      async handle({ body }) {
        const { apiKey, hash } = newApiKey()
        const pins = checkPins(body.pins ?? {})
        const key: ApiKeyRow = {
          id: randomId(),
          name: body.keyName,
          hash,
          scopes: readScopes(body.scopes ?? body.permissions) ?? ['upsert', 'query', 'predict'],
          flows: await flowIds(body.flows ?? []),
          pins,
          quotas: checkQuotas(body.quotas ?? {}, pins),
          createdAt: Date.now(),
          expiresAt: readExpiry(body.expiresAt),
          lastUsedAt: null,
        }
        requireNarrow(key)
        await keys.insert(key, await flowIds(body.bind ?? []))
        const expiry = key.expiresAt === null ? {} : { expiresAt: isoTime(key.expiresAt) }
        const { id, name: keyName, scopes, flows: listed, quotas } = key
        return { id, keyName, scopes, flows: listed, pins, quotas, ...expiry, apiKey }
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/apikey/verify',
      summary: 'Whether the key of the request is valid',
      tag: 'management',
      access: 'key',
      pinned: 'harmless',
      answer: {
        description: 'The word OK; 401 for a key that is not valid',
        type: 'text/plain; charset=utf-8',
      },
      handle: async () => 'OK',
    }),
    route({
      method: 'GET',
      url: '/api/v1/verify/apikey/:key',
      summary: 'The same for a key in the path, for clients of Flowise; logs of proxies may contain the path',
      tag: 'management',
      access: 'open',
      params: keyParams,
      answer: {
        description: 'The word OK; 401 for a key that is not valid',
        type: 'text/plain; charset=utf-8',
      },
      async handle({ params: { key }, request }) {
        // A wrong key in the path counts as a guess, as in a header.
        const holder = request.caller.withKey(key)
        if (!(await holder.identify())?.key) throw await holder.refusal()
        return 'OK'
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'PUT',
      url: '/api/v1/apikey/:id',
      summary: 'Change the name, scopes, flows, quotas or expiry of a key',
      params: idParams,
      body: keyPatch,
      answer: { description: 'The key', shape: keyShape },
      async handle({ params, body }) {
        const key = await find(params.id)
        const changed: ApiKeyRow = {
          ...key,
          name: body.keyName ?? key.name,
          scopes: readScopes(body.scopes ?? body.permissions) ?? key.scopes,
          flows: body.flows ? await flowIds(body.flows) : key.flows,
          quotas: body.quotas ? checkQuotas(body.quotas, key.pins) : key.quotas,
          expiresAt: body.expiresAt === undefined ? key.expiresAt : readExpiry(body.expiresAt),
        }
        if (body.pins && fenceOf(checkPins(body.pins))?.id !== fenceOf(key.pins)?.id)
          throw new SluiceError('pins_invalid', { reason: 'those of a key never change; make a new key' })
        requireNarrow(changed)
        await keys.update(changed)
        return present(changed)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/apikey/:id/rotate',
      givesSecret: true,
      summary:
        'Replace a key by a new one with the same rights and flows; the old one is refused at once. Only this answer contains it',
      params: idParams,
      answer: { description: 'The key', shape: newKeyShape },
      async handle({ params }) {
        const { apiKey, hash } = newApiKey()
        if (!(await keys.rotate(params.id, hash))) throw new SluiceError('key_not_found', { id: params.id })
        return { ...(await present(await find(params.id))), apiKey }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/apikey/:id',
      summary: 'Delete a key; flows that are bound to it stay closed',
      params: idParams,
      answer: removalAnswer,
      async handle({ params }) {
        await find(params.id)
        await keys.remove(params.id)
        return removedRows(1)
      },
    }),
  ]
}

const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time))

/** @throws SluiceError `body_invalid` for a time in the past */
function readExpiry(text: string | null | undefined): number | null {
  if (text === null || text === undefined) return null
  const time = Date.parse(text)
  if (time > Date.now()) return time
  throw new SluiceError('body_invalid', {
    reason: 'expiresAt is in the past; to disable a key, delete it',
  })
}

function readScopes(names: readonly string[] | null | undefined): KeyScope[] | undefined {
  if (!names || names.length === 0) return undefined
  return names.map((name) => {
    const scope = SCOPES.find((scope) => scope === name)
    if (!scope) throw new SluiceError('scope_unknown', { scope: name })
    return scope
  })
}
