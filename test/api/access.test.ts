import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_KEY, form, makePlatform, type Scenario, testScenarios } from '../support/platform.ts'
import { readRouteTable } from '../support/route-table.ts'
import { ROUTES } from '../support/routes.ts'

const platform = await makePlatform()

const bound = await platform.key()
const closed = await platform.flow({ name: 'Closed', apikeyid: bound.id })
const other = await platform.flow({ name: 'Other' })
const listing = await platform.key({ flows: [closed] })
const listingBySlug = await platform.key({ flows: ['closed'] })
const stranger = await platform.key({ flows: [other] })
const readOnly = await platform.key({ flows: [closed], scopes: ['query'] })
const writeOnly = await platform.key({ flows: [closed], scopes: ['upsert'] })
const predictOnly = await platform.key({ flows: [closed], scopes: ['predict'] })
const manager = await platform.key({ scopes: ['manage'] })

const upsert = `/api/v1/vector/upsert/${closed}`
const query = `/api/v1/vector/query/${closed}`
const sources = `/api/v1/vector/sources/${closed}`
const file = () => form({ 'a.txt': 'Otters hold hands while they sleep.' })
const refused = { error: 'Unauthorized Access', statusCode: 401, success: false }
const { body: closedJobs } = await platform.call<{ jobId: string }>(
  'POST',
  `/api/v1/vector/upsert/${closed}`,
  {
    body: form({ 'a.txt': 'Otters swim.' }),
    key: bound.apiKey,
  },
)
const { body: description } = await platform.call<Description>('GET', '/openapi.json')

/** An upload, in the one form and in the other, and what else writes or reads: all of them ask for a scope. */
const WRITES: Pick<Scenario, 'method' | 'path' | 'body'>[] = [
  { method: 'POST', path: upsert, body: file() },
  { method: 'DELETE', path: `${upsert}?source=b.txt` },
  { path: sources },
]
const READS: Pick<Scenario, 'method' | 'path' | 'body'>[] = [
  { method: 'POST', path: query, body: { query: 'otters' } },
  { path: `${query}?q=otters` },
]
const described = ({ method = 'GET', path }: Pick<Scenario, 'method' | 'path'>) =>
  `${method} ${path.replace(closed, 'of a closed flow')}`

/** The answer to a key of the flow that lacks the scope which is named. */
const lacks = (scope: string, has: string) => ({
  statusCode: 403,
  code: 'scope_missing',
  message: `The API key has the scopes ${has}; this needs the scope ${scope}`,
})

for (const { who, headers, writes, reads, only } of [
  { who: 'no key', headers: {}, writes: false, reads: false },
  { who: 'a wrong key', headers: bearer('sk-wrong'), writes: false, reads: false },
  { who: 'an empty key', headers: { authorization: 'Bearer ' }, writes: false, reads: false },
  { who: 'another scheme', headers: { authorization: 'Basic YTpi' }, writes: false, reads: false },
  { who: 'the key the flow is bound to', headers: bearer(bound.apiKey), writes: true, reads: true },
  { who: 'the bare key', headers: { authorization: bound.apiKey }, writes: true, reads: true },
  {
    who: 'bearer in small letters',
    headers: { authorization: `bearer ${bound.apiKey}` },
    writes: true,
    reads: true,
  },
  { who: 'a key that lists the flow', headers: bearer(listing.apiKey), writes: true, reads: true },
  { who: 'a key that lists its slug', headers: bearer(listingBySlug.apiKey), writes: true, reads: true },
  { who: 'the key of another flow', headers: bearer(stranger.apiKey), writes: false, reads: false },
  {
    who: 'a key of scope query',
    headers: bearer(readOnly.apiKey),
    writes: false,
    reads: true,
    only: 'query',
  },
  {
    who: 'a key of scope upsert',
    headers: bearer(writeOnly.apiKey),
    writes: true,
    reads: false,
    only: 'upsert',
  },
  {
    who: 'a key of scope predict',
    headers: bearer(predictOnly.apiKey),
    writes: false,
    reads: false,
    only: 'predict',
  },
  { who: 'a key of scope manage', headers: bearer(manager.apiKey), writes: true, reads: true },
  { who: 'the management key', headers: bearer(ADMIN_KEY), writes: true, reads: true },
]) {
  for (const [routes, open, scope] of [
    [WRITES, writes, 'upsert'],
    [READS, reads, 'query'],
  ] as const)
    testScenarios(
      platform,
      routes.map((route) => ({
        ...route,
        name: `${described(route)} ${open ? 'opens to' : 'refuses'} ${who} [upsert:auth${only ? ', upsert:auth:scope' : ''}]`,
        headers,
        status: open ? 200 : only ? 403 : 401,
        ...(open ? {} : { expect: only ? lacks(scope, only) : refused }),
      })),
    )
}

testScenarios(platform, [
  {
    name: 'POST upsert refuses the JSON form like the multipart form [upsert:auth]',
    method: 'POST',
    path: upsert,
    body: {},
    status: 401,
    expect: { ...refused, code: 'unauthorized' },
  },
  {
    name: 'POST upsert names a wrong key as the reason, and never repeats the key',
    method: 'POST',
    path: upsert,
    key: 'sk-wrong-0123456789',
    body: {},
    status: 401,
    expect: { ...refused, code: 'key_invalid' },
    absent: ['0123456789'],
  },
  {
    name: 'an unknown flow gets another answer than a closed one',
    method: 'POST',
    path: '/api/v1/vector/upsert/no-such-flow',
    body: {},
    status: 404,
    expect: { code: 'flow_not_found', message: 'Chatflow no-such-flow not found' },
  },
  { name: 'an unknown flow has no sources', path: '/api/v1/vector/sources/none', status: 404 },
  { name: 'an open flow needs no key', path: '/api/v1/vector/query/quickstart?q=x', status: 200 },
  {
    name: 'an open flow does not mind a wrong key',
    path: '/api/v1/vector/query/quickstart?q=x',
    key: 'sk-wrong',
    status: 200,
  },
  {
    name: 'management answers 401 before it looks anything up',
    path: '/api/v1/chatflows/no-such-flow',
    status: 401,
    absent: ['not found', 'no-such-flow'],
  },
  {
    name: 'management answers 401 before it reads a body',
    method: 'POST',
    path: '/api/v1/chatflows',
    headers: { 'content-type': 'application/json' },
    body: '{broken',
    status: 401,
  },
  ...['/api/v1/apikey', '/api/v1/chatflows/no-such-flow'].map((path) => ({
    name: `a key of a flow learns from ${path} which scope it needs, and nothing else [keys:scope:manage]`,
    path,
    key: bound.apiKey,
    status: 403,
    expect: lacks('manage', 'upsert, query, predict'),
    contains: ['Use a key that has the scope manage'],
    absent: ['Unauthorized', 'not found', 'no-such-flow'],
  })),
  {
    name: 'management refuses a key that does not exist [keys:scope:manage]',
    path: '/api/v1/apikey',
    key: 'sk-wrong',
    status: 401,
    expect: { ...refused, code: 'key_invalid' },
  },
  {
    name: 'management opens to a key of scope manage',
    path: '/api/v1/apikey',
    key: manager.apiKey,
    status: 200,
  },
])

test('a flow stays closed after its key was deleted', async () => {
  const key = await platform.key()
  const flow = await platform.flow({ apikeyid: key.id })
  await platform.manage('DELETE', `/api/v1/apikey/${key.id}`)
  for (const presented of [undefined, key.apiKey]) {
    const answer = await platform.call(
      'GET',
      `/api/v1/vector/query/${flow}?q=x`,
      presented ? { key: presented } : {},
    )
    assert.equal(answer.status, 401)
  }
})

const closedJob = closedJobs.jobId

type Description = { paths: Record<string, Record<string, { security?: object[] }>> }
const routes = Object.entries(description.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { security }]) => ({
    method: method.toUpperCase(),
    path,
    security,
  })),
)

/** Their description asks for a key; on a server that only this machine can reach they need none. */
const OPEN_HERE = ['GET /metrics', 'POST /v1/embeddings']

test('routes without a key are those that the table of callers opens, no others', () => {
  const open = routes
    .filter(({ security }) => security === undefined)
    .map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
  const opened = readRouteTable(ROUTES)
    .filter(({ statuses }) => statuses.none !== 401)
    .map(({ route }) => route)
  assert.deepEqual([...open, ...OPEN_HERE].sort(), opened.sort())
})

/** Routes with the flow in the body, and the bodies that they get. */
const BODIES: Record<string, object> = {
  '/api/v1/leads': { chatflowid: closed, chatId: 'c' },
  '/v1/chat/completions': { model: closed, messages: [{ role: 'user', content: 'Hi' }] },
}

/**
 * Routes that need more than access: a signed link, the feedback on an answer, a model that can answer, a code or key to
 * sign in. The embedder and the metrics need no key on a server that only this machine can reach.
 */
const WANTING: Record<string, number> = {
  'GET /api/v1/get-upload-file': 400,
  'PUT /api/v1/feedback/{id}': 404,
  'GET /v1/models/{model}': 404,
  'GET /api/v1/verify/apikey/{key}': 401,
  'GET /assets/{name}': 404,
  'GET /chatbot/{flowId}': 404,
  'POST /v1/embeddings': 400,
  // The store is named in the body, which has to be read.
  'POST /api/v1/document-store/loader/process/{loaderId}': 400,
  'POST /api/v1/document-store/vectorstore/query': 400,
  'POST /api/v1/session': 400,
  'GET /metrics': 200,
}

for (const { method, path, security } of routes) {
  const address = path.replace(/\{\w+\}/g, path.includes('/jobs/') ? closedJob : closed)
  const [right, who] =
    security === undefined ? [200, 'callers without a key'] : [401, 'callers with a key only']
  const status = WANTING[`${method} ${path}`] ?? right
  test(`${method} ${path} is for ${who}`, async () => {
    const body = BODIES[path]
    const { headers, ...answer } = await platform.call(method, address, body ? { body } : {})
    assert.equal(answer.status, status, answer.text)
    assert.equal(headers.get('www-authenticate'), status === 401 ? 'Bearer' : null)
  })
  if (method === 'GET')
    test(`HEAD ${path} is for ${who}`, async () => {
      assert.equal((await platform.call('HEAD', address)).status, status)
    })
}

function bearer(key: string) {
  return { authorization: `Bearer ${key}` }
}
