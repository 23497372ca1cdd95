import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startChatServer } from '../support/chat-server.ts'
import { assertRoutes, describedRoutes, type Description } from '../support/described.ts'
import { createExampleCalls, type ExampleCall } from '../support/example-calls.ts'
import { makeExampleFlows } from '../support/example-flows.ts'
import { ADMIN_KEY, type Answer, form, makePlatform } from '../support/platform.ts'
import { readRouteTable } from '../support/route-table.ts'
import { PINNED_ROUTES, ROUTES } from '../support/routes.ts'

type Decision = { kind: string; status: number }

const decisions = new Map(
  PINNED_ROUTES.trim()
    .split('\n')
    .map((line): [string, Decision] => {
      const [method, url, kind, status] = line.split(/\s+/)
      return [`${method} ${url}`, { kind: kind!, status: Number(status) }]
    }),
)

/** A word of documents that the key may not see; each owner has one of its own. */
const SECRET = 'zebra'

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())
model.otherwise = { text: 'Four weeks.' }
await makeExampleFlows(platform, model.url)
const flows = ['quickstart', 'assistant']
const bound = await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
  keyName: 'owner',
  bind: flows,
})
assert.equal(bound.status, 200, bound.text)

async function pinnedKey(tenant: string): Promise<string> {
  const { status, text, body } = await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
    keyName: tenant,
    flows,
    pins: { tenant },
  })
  assert.equal(status, 200, text)
  return body.apiKey
}

const owner = bound.body.apiKey
const [acme, beta] = await Promise.all([pinnedKey('acme'), pinnedKey('beta')])
/** A name that is also in the examples, so that these could meet the documents of others. */
const SENTENCE = `Employees have a notice period of a ${SECRET} month.`
const FILES = { 'handbook.txt': SENTENCE, 'other.txt': SENTENCE }
for (const key of [owner, acme]) {
  const url = '/api/v1/vector/upsert/quickstart'
  const { status, text } = await platform.call('POST', url, { key, body: form(FILES) })
  assert.equal(status, 200, text)
}

// The examples ask in this conversation, which then is one of another caller.
const begun = await platform.call('POST', '/api/v1/prediction/assistant', {
  key: owner,
  body: { question: 'How long is the notice period?', chatId: 'chat-1' },
})
assert.equal(begun.status, 200, begun.text)

const send = ({ method, path, headers, body, files }: ExampleCall, key: string): Promise<Answer> =>
  platform.call(method, path, {
    key,
    headers: { ...headers },
    ...(files ? { body: form({ ...files }) } : body ? { body } : {}),
  })
const examples = createExampleCalls((call) => send(call, ADMIN_KEY))

async function requestFor(route: string): Promise<ExampleCall> {
  const call = await examples.request(route)
  if (route === 'GET /api/v1/verify/apikey/:key') return { ...call, path: `/api/v1/verify/apikey/${beta}` }
  return call
}

/** The documents and jobs of others. */
async function holdings(): Promise<unknown> {
  const lists = ['sources', 'chunks'].map((list) => `/api/v1/vector/${list}/quickstart?limit=100`)
  const documents = await Promise.all(
    [owner, acme].flatMap((key) => lists.map((path) => platform.call('GET', path, { key }))),
  )
  const feedback = await platform.manage('GET', '/api/v1/feedback/assistant')
  return [...documents, feedback].map(({ status, body }) => {
    assert.equal(status, 200)
    return body
  })
}

const rows = readRouteTable(ROUTES)
const isManagement = ({ scopes }: { scopes: readonly string[] }) => scopes.includes('manage')

test('each route that is not of the management has a decision about keys with pins [keys:pins:routes]', async () => {
  const { body } = await platform.call<Description>('GET', '/openapi.json')
  const management = new Set(rows.filter(isManagement).map(({ route }) => route))
  const others = describedRoutes(body).filter((route) => !management.has(route))
  assertRoutes(decisions.keys(), others, 'PINNED_ROUTES of test/support/routes.ts')
})

test('the same examples give a key without pins the documents that the key with pins does not see [keys:pins:routes]', async () => {
  const seen = []
  for (const route of [
    'POST /api/v1/vector/query/:flowId',
    'GET /api/v1/vector/query/:flowId',
    'GET /api/v1/vector/chunks/:flowId',
  ]) {
    const answer = await send(await requestFor(route), owner)
    if (answer.text.includes(SECRET)) seen.push(route)
  }
  assert.equal(seen.length, 3)
})

for (const row of rows) {
  const { route } = row
  const { kind, status } = decisions.get(route) ?? { kind: 'refused', status: 403 }
  test(`${route} gives a key with pins nothing of others and changes nothing of theirs: ${kind} [keys:pins:routes]`, async () => {
    const call = await requestFor(route)
    const before = await holdings()
    const answer = await send(call, beta)
    assert.equal(answer.status, status, answer.text)
    assert.doesNotMatch(answer.text, new RegExp(SECRET))
    assert.deepEqual(await holdings(), before)
    if (kind !== 'refused') return
    const { code } = JSON.parse(answer.text) as { code: string }
    assert.equal(code, isManagement(row) ? 'scope_missing' : 'pinned_key_refused')
  })
}
