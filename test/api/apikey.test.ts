import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { ADMIN_KEY, makePlatform, type Scenario, testScenarios } from '../support/platform.ts'
import { until } from '../support/until.ts'

type Key = {
  id: string
  keyName: string
  scopes: string[]
  flows: string[]
  apiKey: string
  chatFlows: object[]
}

const platform = await makePlatform()
const url = '/api/v1/apikey'
const make = (body: object) => platform.manage<Key>('POST', url, body)
const USUAL = ['upsert', 'query', 'predict']

test('a key is shown once and kept as a hash', async () => {
  const { status, body, text } = await make({ keyName: 'ci' })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), ['apiKey', 'flows', 'id', 'keyName', 'pins', 'quotas', 'scopes'])
  assert.deepEqual([body.keyName, body.scopes, body.flows], ['ci', USUAL, []])
  assert.ok(body.apiKey.length >= 32, text)

  const list = await platform.manage<Key[]>('GET', url)
  assert.equal(list.body.find(({ id }) => id === body.id)?.keyName, 'ci')
  for (const answer of [list, await platform.manage('PUT', `${url}/${body.id}`, { keyName: 'cd' })])
    assert.ok(!answer.text.includes(body.apiKey) && !answer.text.includes('hash'), answer.text)
  for (const name of readdirSync(platform.dataDirectory).filter((file) => file.startsWith('sluice.db'))) {
    const bytes = readFileSync(path.join(platform.dataDirectory, name))
    for (const part of [body.apiKey, body.apiKey.slice(-20), Buffer.from(body.apiKey).toString('hex')])
      assert.ok(!bytes.includes(part), `${name} holds the key`)
  }
  assert.ok(!JSON.stringify(platform.log).includes(body.apiKey))
})

test('two keys are never the same', async () => {
  assert.notEqual(
    (await make({ keyName: 'same' })).body.apiKey,
    (await make({ keyName: 'same' })).body.apiKey,
  )
})

for (const { what, given, scopes } of [
  { what: 'scopes', given: { scopes: ['query'] }, scopes: ['query'] },
  {
    what: 'permissions, the word of Flowise',
    given: { permissions: ['query', 'manage'] },
    scopes: ['query', 'manage'],
  },
  { what: 'no scopes', given: { scopes: null, permissions: [] }, scopes: USUAL },
])
  test(`a key with ${what} has the scopes ${scopes.join(', ')}`, async () => {
    assert.deepEqual((await make({ keyName: 'x', ...given })).body.scopes, scopes)
  })

test('a key opens what it lists, by slug too, and its list and rights can be changed', async () => {
  const flow = await platform.flow({ name: 'Mine', apikeyid: (await platform.key()).id })
  const { body: key } = await make({ keyName: 'x', flows: ['mine'] })
  assert.deepEqual(key.flows, [flow])
  const ask = async () =>
    (await platform.call('GET', `/api/v1/vector/query/${flow}?q=x`, { key: key.apiKey })).status
  assert.equal(await ask(), 200)
  const { body: changed } = await platform.manage<Key>('PUT', `${url}/${key.id}`, { scopes: ['upsert'] })
  assert.deepEqual([changed.keyName, changed.scopes, changed.flows], ['x', ['upsert'], [flow]])
  assert.equal(await ask(), 403)
  await platform.manage('PUT', `${url}/${key.id}`, { scopes: ['query'], flows: [] })
  assert.equal(await ask(), 401)
  await platform.manage('PUT', `${url}/${key.id}`, { flows: [flow] })
  assert.equal(await ask(), 200)
  assert.deepEqual((await platform.manage('DELETE', `${url}/${key.id}`)).body, { raw: [], affected: 1 })
  assert.equal(await ask(), 401)
})

test('the list names the flows that are bound to a key', async () => {
  const key = await platform.key()
  const flow = await platform.flow({ name: 'Bound', slug: 'bound', apikeyid: key.id })
  const { body } = await platform.manage<Key[]>('GET', url)
  assert.deepEqual(body.find(({ id }) => id === key.id)?.chatFlows, [
    { id: flow, flowName: 'Bound', slug: 'bound' },
  ])
})

const REFUSED: Scenario[] = [
  { name: 'no name', path: url, body: {}, status: 400, contains: ['keyName'] },
  { name: 'an empty name', path: url, body: { keyName: '' }, status: 400, contains: ['keyName'] },
  {
    name: 'an unknown scope',
    path: url,
    body: { keyName: 'x', scopes: ['query', 'root'] },
    status: 400,
    expect: { code: 'scope_unknown' },
    contains: ['root'],
  },
  {
    name: 'an unknown permission',
    path: url,
    body: { keyName: 'x', permissions: ['chatflows:view'] },
    status: 400,
    expect: { code: 'scope_unknown' },
  },
  {
    name: 'scopes that are text',
    path: url,
    body: { keyName: 'x', scopes: 'query' },
    status: 400,
    contains: ['scopes'],
  },
  {
    name: 'a flow that is not there',
    path: url,
    body: { keyName: 'x', flows: ['none'] },
    status: 404,
    expect: { code: 'flow_not_found' },
  },
  {
    name: 'to change a key that is not there',
    method: 'PUT',
    path: `${url}/none`,
    body: { keyName: 'x' },
    status: 404,
    expect: { code: 'key_not_found' },
  },
  { name: 'to delete a key that is not there', method: 'DELETE', path: `${url}/none`, status: 404 },
]
testScenarios(
  platform,
  REFUSED.map((scenario) => ({
    method: 'POST',
    ...scenario,
    name: `apikey refuses ${scenario.name}`,
    key: ADMIN_KEY,
  })),
)

test('a key without manage lists the flows that it may ask, without drawing and configuration [chatflows:listed]', async () => {
  const { body: own } = await make({ keyName: 'reader', scopes: ['query'] })
  const mine = await platform.flow({ name: 'Of this key', apikeyid: own.id })
  const closed = await platform.flow({ name: 'Of another', apikeyid: (await platform.key()).id })
  type Listed = { id: string; name: string; flowData?: string }
  const { status, body } = await platform.call<Listed[]>('GET', '/api/v1/chatflows', { key: own.apiKey! })
  assert.equal(status, 200)
  const ids = body.map(({ id }) => id)
  assert.ok(ids.includes(mine) && !ids.includes(closed))
  const all = (await platform.manage<Listed[]>('GET', '/api/v1/chatflows')).body
  assert.ok(all.length > body.length && all.every(({ flowData }) => flowData !== undefined))
  for (const row of body)
    assert.deepEqual(Object.keys(row).toSorted(), [
      'category',
      'createdDate',
      'id',
      'name',
      'slug',
      'type',
      'updatedDate',
    ])
  const page = await platform.call<{ data: Listed[]; total: number }>(
    'GET',
    '/api/v1/chatflows?page=1&limit=1',
    { key: own.apiKey! },
  )
  assert.deepEqual([page.body.data.length, page.body.total], [1, body.length])
  assert.equal((await platform.call('GET', '/api/v1/chatflows', { key: 'sk-wrong' })).status, 401)
  assert.equal((await platform.call('GET', `/api/v1/chatflows/${mine}`, { key: own.apiKey! })).status, 403)
})

test('a key is verified in the header or in the address', async () => {
  const { body: own } = await make({ keyName: 'verified' })
  const verify = (path: string, key?: string) => platform.call('GET', path, key === undefined ? {} : { key })
  const good = await verify('/api/v1/apikey/verify', own.apiKey!)
  assert.deepEqual([good.status, good.text], [200, 'OK'])
  assert.equal((await verify(`/api/v1/verify/apikey/${own.apiKey}`)).text, 'OK')
  assert.equal((await verify('/api/v1/apikey/verify')).status, 401)
  assert.equal((await verify('/api/v1/verify/apikey/sk-wrong')).status, 401)
})

test('a key that has expired opens nothing, and the answer gives this reason [key:expires]', async () => {
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const made = await make({ keyName: 'agency', scopes: ['manage'], expiresAt: end })
  assert.equal((made.body as { expiresAt?: string }).expiresAt, end)
  const { id, apiKey } = made.body
  assert.equal((await platform.call('GET', '/api/v1/chatflows', { key: apiKey })).status, 200)
  const listed = (await platform.manage<(Key & { expiresAt: string })[]>('GET', url)).body
  assert.equal(listed.find((key) => key.id === id)?.expiresAt, end)

  await platform.sql('UPDATE api_keys SET expires_at = ? WHERE id = ?', Date.now() - 1, id)
  for (const at of ['/api/v1/chatflows', url, `${url}/verify`, `/api/v1/verify/apikey/${apiKey}`]) {
    const { status, body } = await platform.call<{ code: string; message: string }>('GET', at, {
      key: apiKey,
    })
    assert.deepEqual([at, status, body.code], [at, 401, 'key_expired'])
    assert.match(body.message, /expired on \d{4}-/)
  }
  // A new end, or none, and it opens again.
  assert.equal((await platform.manage('PUT', `${url}/${id}`, { expiresAt: null })).status, 200)
  assert.equal((await platform.call('GET', `${url}/verify`, { key: apiKey })).status, 200)
  const past = await platform.manage('POST', url, { keyName: 'x', expiresAt: '2020-01-01T00:00:00.000Z' })
  assert.equal(past.status, 400)
})

test('a key shows when it was last used, with one write a minute [key:last-used]', async () => {
  const { id, apiKey } = (await make({ keyName: 'used' })).body
  const stored = async () => {
    const sql = 'SELECT CAST(last_used_at AS text) AS at FROM api_keys WHERE id = ?'
    const [row] = await platform.sql<{ at: string | null }>(sql, id)
    return row!.at === null ? null : Number(row!.at)
  }
  assert.equal(await stored(), null)
  const before = Date.now()
  // Each server notes a use for itself.
  for (let times = 0; times < 2; times++) await platform.call('GET', `${url}/verify`, { key: apiKey })
  await until(async () => ((await stored()) ?? 0) >= before)
  const usedOften = async () => {
    await platform.sql('UPDATE api_keys SET last_used_at = 1 WHERE id = ?', id)
    for (let times = 0; times < 20; times++) await platform.call('GET', `${url}/verify`, { key: apiKey })
    await make({ keyName: 'later' })
    return stored()
  }
  // What the other of two servers noted may be written only now: then it is the last one in this minute.
  if ((await usedOften()) !== 1) assert.equal(await usedOften(), 1)
  const listed = (await platform.manage<(Key & { lastUsedAt: string })[]>('GET', url)).body
  assert.equal(listed.find((key) => key.id === id)?.lastUsedAt, new Date(1).toISOString())
})

test('POST /apikey/:id/rotate replaces a key and keeps its rights and flows [apikey:rotate]', async () => {
  const { body: key } = await make({ keyName: 'rotated', scopes: ['query'] })
  const flow = await platform.flow({ name: 'Rotated', apikeyid: key.id })
  const ask = async (apiKey: string) =>
    (await platform.call('GET', `/api/v1/vector/query/${flow}?q=x`, { key: apiKey })).status
  assert.equal(await ask(key.apiKey), 200)
  const { status, body: next } = await platform.manage<Key>('POST', `${url}/${key.id}/rotate`)
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(next, {
    id: key.id,
    keyName: 'rotated',
    scopes: ['query'],
    chatFlows: [{ id: flow }],
  })
  assert.notEqual(next.apiKey, key.apiKey)
  assert.deepEqual([await ask(key.apiKey), await ask(next.apiKey)], [401, 200])
  assert.equal((await platform.manage('POST', `${url}/none/rotate`)).status, 404)
})
