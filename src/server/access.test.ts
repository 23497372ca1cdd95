import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyScope } from '../contract/api-key-store.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import {
  type AccessRequest,
  type FlowScope,
  requireFlowAccess,
  requireKey,
  requireManager,
  requireMetricsReader,
  requireOwnKey,
} from './access.ts'
import type { Caller } from './caller.ts'

const key = (scopes: KeyScope[], { id = 'key', flows = [] as string[] } = {}): Caller =>
  ({ admin: scopes.includes('manage'), key: { id, scopes, flows } }) as unknown as Caller
const nobody = undefined
const admin: Caller = { admin: true }

/** What a request decides by: its caller, whether it comes from this machine, and the rest of it. */
function requestOf(
  caller: Caller,
  {
    local = false,
    method = 'POST',
    headers = {},
    hasMetricsKey = false,
    metricsNeedKey = false,
  }: {
    local?: boolean
    method?: string
    headers?: Record<string, string>
    hasMetricsKey?: boolean
    metricsNeedKey?: boolean
  } = {},
): AccessRequest {
  const refusal = async () => new SluiceError(caller ? 'key_invalid' : 'unauthorized')
  return {
    caller: { identify: async () => caller, refusal, hasMetricsKey, metricsNeedKey },
    client: { address: '203.0.113.9', local },
    headers: { host: 'here.example', ...headers },
    method,
  } as unknown as AccessRequest
}

const open = { id: 'id', slug: 'handbook', apiKeyId: null, config: {} } as unknown as FlowRow
const bound = { ...open, apiKeyId: 'key' } as FlowRow

/** What a request to a flow is refused with; undefined where it is admitted. */
const refusalOf = (
  request: AccessRequest,
  flow: FlowRow,
  scope: FlowScope = 'query',
  allowOpenUpsert = false,
): Promise<unknown> =>
  requireFlowAccess(request, { flow, scope, allowOpenUpsert }).then(
    () => undefined,
    (error: SluiceError) => error.code,
  )

test('requireManager() admits managers, and tells a key which scope it lacks', async () => {
  await requireManager(requestOf(admin))
  await requireManager(requestOf(key(['manage'])))
  await assert.rejects(requireManager(requestOf(key(['query', 'upsert']))), {
    code: 'scope_missing',
    facts: {
      scope: 'manage',
      scopes: 'query, upsert',
      hint: 'Use a key that has the scope manage, or add it to this one (PUT /api/v1/apikey/:id)',
    },
  })
  await assert.rejects(requireManager(requestOf(nobody, { local: true })), { code: 'unauthorized' })
})

test('requireOwnKey() wants a key also on this machine, requireKey() does not', async () => {
  for (const check of [requireOwnKey, requireKey]) {
    await check(requestOf(key([])))
    await assert.rejects(check(requestOf(nobody)), { code: 'unauthorized' })
  }
  await assert.rejects(requireOwnKey(requestOf(nobody, { local: true })), { code: 'unauthorized' })
  await requireKey(requestOf(nobody, { local: true }))
})

test('requireMetricsReader() admits METRICS_KEY, managers, and this machine where there is no METRICS_KEY', async () => {
  await requireMetricsReader(requestOf(nobody, { hasMetricsKey: true, metricsNeedKey: true }))
  await requireMetricsReader(requestOf(admin, { metricsNeedKey: true }))
  await requireMetricsReader(requestOf(nobody, { local: true }))
  for (const request of [
    requestOf(nobody, { local: true, metricsNeedKey: true }),
    requestOf(nobody),
    requestOf(nobody, { metricsNeedKey: true }),
  ])
    await assert.rejects(requireMetricsReader(request), { code: 'unauthorized' })
})

test('requireFlowAccess() admits everybody to queries of an open flow, and to no writes from other machines', async () => {
  assert.equal(await refusalOf(requestOf(nobody), open), undefined)
  assert.equal(await refusalOf(requestOf(nobody), open, 'upsert'), 'open_upsert_refused')
  assert.equal(await refusalOf(requestOf(nobody), open, 'upsert', true), undefined)
  assert.equal(await refusalOf(requestOf(nobody, { local: true }), open, 'upsert'), undefined)
  for (const method of ['GET', 'HEAD'])
    assert.equal(await refusalOf(requestOf(nobody, { method }), open, 'upsert'), undefined)
})

test('requireFlowAccess() says what would open a flow to writes', async () => {
  const request = requestOf(nobody)
  await assert.rejects(requireFlowAccess(request, { flow: open, scope: 'upsert', allowOpenUpsert: false }), {
    code: 'open_upsert_refused',
    facts: {
      flow: 'handbook',
      hint: 'Bind an API key to the flow (apikeyid), or set ALLOW_OPEN_UPSERT=true',
    },
  })
})

test('requireFlowAccess() refuses writes to an open flow from the page of another site', async () => {
  const headers = { origin: 'https://evil.example' }
  for (const allowed of [true, false]) {
    const local = !allowed
    const of = (scope: FlowScope, method = 'POST') =>
      refusalOf(requestOf(nobody, { local, headers, method }), open, scope, allowed)
    assert.equal(await of('upsert'), 'origin_refused')
    assert.equal(await of('query'), undefined)
    assert.equal(await of('upsert', 'GET'), undefined)
  }
  await assert.rejects(
    requireFlowAccess(requestOf(nobody, { headers }), { flow: open, scope: 'upsert', allowOpenUpsert: true }),
    { facts: { flow: 'handbook' } },
  )
})

test('requireFlowAccess() admits to a flow with a key that key, keys that list it, and managers', async () => {
  for (const caller of [
    key(['query']),
    key(['query'], { id: 'other', flows: ['id'] }),
    key(['query'], { id: 'other', flows: ['x', 'handbook'] }),
    key(['manage'], { id: 'other' }),
    admin,
  ])
    assert.equal(await refusalOf(requestOf(caller), bound), undefined)
  for (const local of [true, false]) {
    assert.equal(await refusalOf(requestOf(nobody, { local }), bound), 'unauthorized')
    const strange = key(['query'], { id: 'other', flows: ['another'] })
    assert.equal(await refusalOf(requestOf(strange, { local }), bound), 'key_invalid')
  }
})

test('requireFlowAccess() admits a key of the flow only with the scope', async () => {
  assert.equal(await refusalOf(requestOf(key(['query'])), bound, 'upsert', true), 'scope_missing')
  assert.equal(await refusalOf(requestOf(key(['upsert'])), bound, 'upsert'), undefined)
  const listing = key(['upsert'], { id: 'other', flows: ['id'] })
  assert.equal(await refusalOf(requestOf(listing), open, 'upsert'), undefined)
  assert.equal(await refusalOf(requestOf(admin), open, 'upsert'), undefined)
  const strange = key(['upsert'], { id: 'other' })
  assert.equal(await refusalOf(requestOf(strange), open, 'upsert'), 'open_upsert_refused')
})
