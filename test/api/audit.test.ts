import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditAnswer } from '../../src/api/audit.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { sluice } from '../support/command-line.ts'

const platform = await makePlatform({}, { servers: 1 })
const entries = async (kind?: string): Promise<AuditAnswer[]> =>
  (
    await platform.manage<{ entries: AuditAnswer[] }>(
      'GET',
      `/api/v1/audit?limit=1000${kind === undefined ? '' : `&kind=${kind}`}`,
    )
  ).body.entries

test('GET /audit lists each change with its caller and result [audit:log]', async () => {
  const { id: keyId, apiKey } = await platform.key({ scopes: ['manage'] })
  const made = await platform.call<{ id: string }>('POST', '/api/v1/variables', {
    key: apiKey,
    body: { name: 'audited', value: 'the-value-of-the-variable', type: 'static' },
  })
  assert.equal(made.status, 200, made.text)
  await platform.call('DELETE', '/api/v1/variables/none-such', { key: apiKey })
  const [removal, creation] = await entries('change')
  const { times, ...rest } = creation!
  assert.equal(times, 1)
  assert.partialDeepStrictEqual(rest, {
    caller: 'a key',
    keyId,
    method: 'POST',
    route: '/api/v1/variables',
    object: made.body.id,
    status: 200,
    code: null,
    address: '127.0.0.1',
  })
  assert.partialDeepStrictEqual(removal!, {
    caller: 'a key',
    object: 'none-such',
    status: 404,
    code: 'variable_not_found',
  })
  await platform.manage('GET', '/api/v1/credentials')
  const read = (await entries('read')).find(({ route }) => route === '/api/v1/credentials')
  assert.deepEqual([read?.caller, read?.kind], ['ADMIN_KEY', 'read'])
})

test('GET /audit lists refusals, equal ones as one row, and holds neither keys nor bodies [audit:log]', async () => {
  for (let times = 0; times < 30; times++)
    await platform.call('GET', '/api/v1/variables', { key: 'sl_a-wrong-key-of-the-tests' })
  await platform.call('GET', '/api/v1/verify/apikey/sl_another-wrong-key')
  const { apiKey, id } = await platform.key({ scopes: ['query'] })
  await platform.call('POST', '/api/v1/variables', {
    key: apiKey,
    body: { name: 'x', value: 'body-of-a-refusal' },
  })

  const refusals = await entries('refusal')
  const wrong = refusals.filter(({ method, route }) => method === 'GET' && route === '/api/v1/variables')
  assert.deepEqual(
    wrong.map(({ caller, status, code, times }) => [caller, status, code, times]),
    [['an unknown key', 401, 'key_invalid', 30]],
  )
  assert.ok(refusals.some(({ keyId, status }) => keyId === id && status === 403))
  assert.ok(refusals.some(({ route }) => route === '/api/v1/verify/apikey/:key'))
  const { text } = await platform.manage('GET', '/api/v1/audit?limit=1000')
  for (const hidden of ['wrong-key', 'body-of-a-refusal', 'the-value-of-the-variable', apiKey, ADMIN_KEY])
    assert.ok(!text.includes(hidden), hidden)
  assert.equal((await platform.call('GET', '/api/v1/audit', { key: apiKey })).status, 403)
})

test('GET /audit has only refusals of callers that may not manage, so that they push no changes out [audit:log]', async () => {
  const { apiKey } = await platform.key({ scopes: ['query'] })
  for (const sender of [{}, { key: apiKey }, { key: 'sl_an-unknown-key' }]) {
    const invalid = await platform.call('POST', '/api/v1/session', { ...sender, body: {} })
    assert.equal(invalid.status, 400, invalid.text)
    const nothing = await platform.call('DELETE', '/api/v1/session', sender)
    assert.equal(nothing.status, 200, nothing.text)
  }
  const refused = await platform.call('POST', '/api/v1/session', { body: { code: 'wrong' } })
  assert.equal(refused.status, 401, refused.text)
  const signedIn = await platform.call('POST', '/api/v1/session', { body: { key: ADMIN_KEY } })
  assert.equal(signedIn.status, 200, signedIn.text)
  const ofSession = (await entries()).filter(({ route }) => route === '/api/v1/session')
  assert.deepEqual(
    ofSession.map(({ kind, caller, status }) => [kind, caller, status]),
    [
      ['change', 'studio session', 200],
      ['refusal', 'no key', 401],
    ],
  )
})

test('sluice audit prints the log as a table [audit:log]', async () => {
  await platform.call('GET', '/api/v1/audit')
  const { code, stdout, stderr } = await sluice([
    'audit',
    '--kind',
    'refusal',
    '--url',
    platform.url,
    '--key',
    ADMIN_KEY,
  ])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^at +caller +call +object +status +times +from$/m)
  assert.match(stdout, /no key +GET \/api\/v1\/audit +401 unauthorized +1 +127\.0\.0\.1$/m)
})
