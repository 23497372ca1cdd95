import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startChatServer } from '../support/chat-server.ts'
import type { Description } from '../support/described.ts'
import { createExampleCalls, type ExampleCall } from '../support/example-calls.ts'
import { makeExampleFlows } from '../support/example-flows.ts'
import { ADMIN_KEY, type Answer, form, makePlatform } from '../support/platform.ts'
import { readRouteTable } from '../support/route-table.ts'
import { ROUTES } from './route-table.ts'

/**
 * What each route does for a key with pins, except routes of the management, which all refuse it.
 *
 * - open: all may call it, with the same answer
 * - harmless: it gives and changes nothing that was loaded or asked
 * - fenced: it works within the pins
 * - refused: 403 `pinned_key_refused`
 *
 * The number is the status that the example of the documentation gets, for ids of things that a manager made.
 */
const DECISIONS = `
GET /api/v1/ping                               open 200
GET /api/v1/version                            open 200
GET /healthz                                   open 200
GET /api/v1/healthz                            open 200
GET /readyz                                    open 200
GET /api/v1/readyz                             open 200
GET /metrics                                   refused 403
POST /api/v1/vector/upsert/:flowId             fenced 200
POST /api/v1/vector/dry-run/:flowId            fenced 200
DELETE /api/v1/vector/upsert/:flowId           fenced 200
POST /api/v1/vector/query/:flowId              fenced 200
GET /api/v1/vector/query/:flowId               fenced 200
POST /api/v1/mcp/:flowId                       fenced 200
GET /api/v1/mcp/:flowId                        fenced 405
DELETE /api/v1/mcp/:flowId                     fenced 405
POST /api/v1/prediction/:flowId                fenced 403
POST /v1/chat/completions                      fenced 200
GET /v1/models                                 open 200
GET /v1/models/:model                          open 200
POST /v1/embeddings                            harmless 200
GET /api/v1/chatflows-streaming/:flowId        open 200
GET /api/v1/public-chatbotConfig/:flowId       open 200
POST /api/v1/attachments/:flowId/:chatId       harmless 200
GET /api/v1/get-upload-file                    open 403
PUT /api/v1/chatmessage/abort/:flowId/:chatId  fenced 200
POST /api/v1/feedback/:flowId                  fenced 403
PUT /api/v1/feedback/:id                       fenced 403
POST /api/v1/leads                             harmless 200
POST /api/v1/vector/reindex/:flowId            refused 403
GET /api/v1/vector/refresh/:flowId             fenced 200
POST /api/v1/vector/refresh/:flowId            fenced 200
GET /api/v1/vector/sources/:flowId             fenced 200
GET /api/v1/vector/fields/:flowId              fenced 200
GET /api/v1/vector/sources/:flowId/text        fenced 200
GET /api/v1/vector/sources/:flowId/original    fenced 404
GET /api/v1/vector/failed/:flowId              fenced 200
POST /api/v1/vector/failed/:flowId/retry       fenced 404
POST /api/v1/vector/failed/:flowId/forget      fenced 200
POST /api/v1/vector/sources/:flowId/restore    fenced 200
GET /api/v1/vector/chunks/:flowId              fenced 200
GET /api/v1/jobs/:id                           fenced 404
GET /api/v1/jobs/:id/events                    fenced 404
GET /api/v1/jobs/events                        fenced 200
GET /api/v1/jobs/:id/files                     fenced 404
GET /api/v1/jobs/:id/failures                  fenced 404
GET /api/v1/jobs/:id/sources                   fenced 404
GET /api/v1/jobs/:id/chunks                    fenced 404
POST /api/v1/jobs/:id/cancel                   fenced 404
POST /api/v1/jobs/:id/retry                    fenced 404
GET /api/v1/chatflows                          harmless 200
GET /api/v1/apikey/verify                      harmless 200
GET /api/v1/verify/apikey/:key                 open 200
GET /                                          open 200
GET /guide                                     open 200
GET /chatbot/:flowId                           open 404
GET /flows                                     open 200
GET /flows/:id                                 open 200
GET /flows/:id/ask                             open 200
GET /flows/:id/documents                       open 200
GET /flows/:id/documents/:source               open 200
GET /flows/:id/history                         open 200
GET /flows/:id/api                             open 200
GET /flows/:id/configuration                   open 200
GET /flows/:id/revisions                       open 200
GET /jobs                                      open 200
GET /executions                                open 200
GET /credentials                               open 200
GET /variables                                 open 200
GET /keys                                      open 200
GET /assets/:name                              open 404
GET /docs                                      open 200
GET /api/v1/docs                               open 200
GET /docs/try.js                               open 200
GET /docs/style.css                            open 200
GET /openapi.json                              open 200
GET /api/v1/openapi.json                       open 200
GET /api/v1/session                            open 200
POST /api/v1/session                           open 200
DELETE /api/v1/session                         open 200
`

type Decision = { kind: string; status: number }

const decisions = new Map(
  DECISIONS.trim()
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
  const declared = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  const management = new Set(rows.filter(isManagement).map(({ route }) => route))
  assert.deepEqual(
    [...decisions.keys()].toSorted(),
    declared.filter((route) => !management.has(route)).toSorted(),
  )
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
