import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { after, test } from 'node:test'
import { EXAMPLES } from '../../src/server/docs/examples.ts'
import { startChatServer } from '../support/chat-server.ts'
import { assertRoutes, describedRoutes, type Description } from '../support/described.ts'
import { createExampleCalls, type ExampleCall } from '../support/example-calls.ts'
import { makeExampleFlows } from '../support/example-flows.ts'
import { ADMIN_KEY, type Answer, answerOf, form, makePlatform } from '../support/platform.ts'
import { readRouteTable, type RouteRow } from '../support/route-table.ts'
import { ROUTES } from '../support/routes.ts'
import { until } from '../support/until.ts'

const FLOW_SCOPES = ['upsert', 'query', 'predict']
const UNKNOWN = 'no-such-id'

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
const agent = new Agent({ keepAlive: true })
after(() => {
  agent.destroy()
  model.close()
})
model.otherwise = { text: 'Four weeks.' }
const { body: description } = await platform.call<Description>('GET', '/openapi.json')
await makeExampleFlows(platform, model.url)
const flows = ['quickstart', 'assistant']
// From here on both flows are closed.
const bound = await platform.manage('POST', '/api/v1/apikey', {
  keyName: 'owner',
  bind: flows,
})
assert.equal(bound.status, 200, bound.text)
const other = await platform.key({ flows: [await platform.flow({ name: 'Other' })] })

const expired = await platform.manage<{ id: string; apiKey: string }>('POST', '/api/v1/apikey', {
  keyName: 'expired',
  flows,
  scopes: ['manage', ...FLOW_SCOPES],
})
assert.equal(expired.status, 200, expired.text)
const { apiKey: expiredKey } = expired.body
// As time would do it: a key cannot be made with an end in the past.
await platform.sql('UPDATE api_keys SET expires_at = ? WHERE id = ?', Date.now() - 1, expired.body.id)

/** Keys of the two flows, by the scopes that they have. */
const keys = new Map<string, string>()
for (const scopes of [
  ['manage'],
  ...FLOW_SCOPES.flatMap((one) => [[one], FLOW_SCOPES.filter((scope) => scope !== one)]),
  FLOW_SCOPES,
])
  keys.set(scopes.join(), (await platform.key({ flows, scopes })).apiKey)

/** The keys with which a caller of the table calls a route. */
function keysOf(caller: string, { scopes }: RouteRow): (string | undefined)[] {
  const lacking = FLOW_SCOPES.filter((scope) => !scopes.includes(scope)).join()
  switch (caller) {
    case 'none':
      return [undefined]
    case 'wrong':
      return ['sk-wrong-0123456789']
    case 'expired':
      return [expiredKey]
    case 'other':
      return [other.apiKey]
    case 'narrow':
      return [keys.get(lacking)!]
    case 'right':
      return scopes.length === 0 ? [keys.get(FLOW_SCOPES.join())!] : scopes.map((scope) => keys.get(scope)!)
    case 'manager':
      return [ADMIN_KEY]
    default:
      throw new Error(`the table of routes has a caller ${caller}`)
  }
}

const segments = (path: string, change: (segment: string) => string) =>
  path.replace(/^[^?]*/, (before) => before.replace(/[^/]+/g, change))
const encoded = (segment: string) => `%${segment.charCodeAt(0).toString(16)}${segment.slice(1)}`

type Spelling = {
  name: string
  /** Undefined where the route cannot be written in this way. */
  spell(call: ExampleCall): Pick<ExampleCall, 'method' | 'path'> | undefined
  /** The status, if it is not the one of the plain request. */
  status?(row: RouteRow): number | undefined
}

const GETS = Object.keys(EXAMPLES)
  .filter((route) => route.startsWith('GET '))
  .map((route) => new RegExp(`^${route.slice(4).replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`))
const hasGet = (path: string) => GETS.some((pattern) => pattern.test(path.split('?')[0]!))
const byPath = (change: (path: string) => string | undefined) => (call: ExampleCall) => {
  const path = change(call.path)
  return path === undefined ? undefined : { ...call, path }
}
const nothing = () => 404

/** Ways in which a request for a route can be written. */
const SPELLINGS: readonly Spelling[] = [
  { name: 'plain', spell: (call) => call },
  {
    // HEAD is answered as GET; what has no GET of the same path is no route for it.
    name: 'HEAD',
    spell: (call) => (call.method !== 'GET' && hasGet(call.path) ? undefined : { ...call, method: 'HEAD' }),
    status: ({ route }) => (route.startsWith('GET ') ? undefined : 404),
  },
  {
    name: 'OPTIONS',
    spell: (call) => ({ ...call, method: 'OPTIONS' }),
    status: ({ options }) => options,
  },
  { name: 'a slash at the end', spell: byPath((path) => path.replace(/(?<=[^?/])(?=\?|$)/, '/')) },
  { name: 'percent-encoded letters', spell: byPath((path) => segments(path, encoded)) },
  {
    name: 'two slashes at the front',
    // Before the path `/` the second slash is one at its end.
    spell: byPath((path) => (path === '/' ? undefined : `/${path}`)),
    status: nothing,
  },
  { name: 'two slashes within', spell: byPath(withinApi('/api//')), status: nothing },
  { name: 'an encoded slash', spell: byPath(withinApi('/api%2f')), status: nothing },
  {
    name: 'capital letters',
    spell: byPath((path) =>
      path === '/' ? undefined : path.replace(/^\/\w+/, (first) => first.toUpperCase()),
    ),
    status: nothing,
  },
  { name: 'a way up', spell: byPath((path) => `/x/..${path}`), status: nothing },
  { name: 'an encoded way up', spell: byPath((path) => `/docs/%2e%2e${path}`), status: nothing },
]

function withinApi(slash: string) {
  return (path: string) => (path.startsWith('/api/') ? path.replace('/api/', slash) : undefined)
}

/** Sends a path as it is written: `fetch` would take the dots out of it. */
async function send(
  { method, path, headers, body, files }: ExampleCall,
  key: string | undefined,
): Promise<Answer> {
  const multipart = files && new Response(form({ ...files }))
  const bytes = multipart
    ? Buffer.from(await multipart.arrayBuffer())
    : body && Buffer.from(JSON.stringify(body))
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const type = multipart ? multipart.headers.get('content-type')! : body && 'application/json'
  const request = httpRequest(platform.url, {
    agent,
    method,
    path,
    headers: {
      ...headers,
      ...(type ? { 'content-type': type, 'content-length': bytes!.length } : {}),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
  })
  request.on('error', reject)
  request.on('response', async (response) => {
    const text = Buffer.concat(await response.toArray()).toString()
    const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    resolve(answerOf(response.statusCode!, new Headers(headers), text))
  })
  request.end(bytes)
  return promise
}

const examples = createExampleCalls((call) => send(call, ADMIN_KEY))

/** The example of a route; where its answer is a failure by design, a request that can be answered. */
async function requestFor({ route }: RouteRow): Promise<ExampleCall> {
  const call = await examples.request(route)
  if (route === 'GET /api/v1/verify/apikey/:key')
    return { ...call, path: `/api/v1/verify/apikey/${other.apiKey}` }
  return call
}

/** All that the server holds and a request could have changed. */
async function holdings(): Promise<unknown> {
  const lists = [
    ...['chatflows', 'apikey', 'credentials', 'variables', 'executions', 'jobs?limit=1000'].map(
      (list) => `/api/v1/${list}`,
    ),
    ...flows.flatMap((flow) => [
      ...['vector/sources', 'upsert-history', 'chatmessage', 'feedback', 'leads'].map(
        (list) => `/api/v1/${list}/${flow}`,
      ),
    ]),
  ]
  const answers = await Promise.all(lists.map((path) => platform.manage('GET', path)))
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200).map(({ text }) => text),
    [],
  )
  // When a key was used last is all that a refused call may change.
  const kept = JSON.stringify(
    answers.map(({ body }) => body),
    (name, value: unknown) => (name === 'lastUsedAt' ? undefined : value),
  )
  return [platform.uploads(), model.calls.length, JSON.parse(kept)]
}

/** The jobs that an earlier route has begun change by themselves until they end. A queued one may begin between the two questions. */
async function noneWorks(): Promise<boolean> {
  for (const state of ['queued', 'running']) {
    const { body } = await platform.manage('GET', `/api/v1/jobs?state=${state}`)
    if ((body as { total: number }).total > 0) return false
  }
  return true
}

const rows = readRouteTable(ROUTES)
const CALLERS = ['none', 'wrong', 'expired', 'other', 'narrow', 'right', 'manager']

/** The same request for an id that does not exist; undefined where the path names none. */
function unknownFor({ route }: RouteRow, call: ExampleCall): ExampleCall | undefined {
  const path = route.split(' ')[1]!
  return path.includes(':') ? { ...call, path: path.replace(/:\w+/g, UNKNOWN) } : undefined
}

/**
 * Which route a request is for, and whether it is refused, is decided before rows are written: with the second database only the plain
 * requests are sent, and nobody looks for changes.
 */
const isSecond = process.env.SLUICE_TEST_DATABASE === 'postgres'
const spellings = isSecond ? SPELLINGS.slice(0, 1) : SPELLINGS

type Cell = { what: string; spelling: Spelling; key: string | undefined; status: number }

/** What decides about every caller in the same way is asked by one who may do nothing and by one who may do all. */
const EXTREMES = ['none', 'manager']

/**
 * Every caller in every spelling that is a request for the route, two in the others, and what the table expects of each. Of those who are
 * let in the plain request has all, the others have one: that they are for the same route.
 */
const cellsOf = (row: RouteRow): Cell[] =>
  spellings.flatMap((spelling) => {
    const status = spelling.status?.(row)
    const cells = (status === undefined ? CALLERS : EXTREMES).flatMap((caller) =>
      keysOf(caller, row).map((key) => ({
        what: `${spelling.name}, ${caller}`,
        spelling,
        key,
        status: status ?? row.statuses[caller]!,
      })),
    )
    const last = cells.findLast(({ status }) => status < 400)
    return cells.filter((cell) => cell.status >= 400 || cell === last || spelling.name === 'plain')
  })

async function sendCell(
  { what, spelling, key, status }: Cell,
  call: ExampleCall,
): Promise<Answer | undefined> {
  const spelled = spelling.spell(call)
  if (!spelled) return undefined
  const answer = await send({ ...call, ...spelled }, key)
  assert.equal(answer.status, status, `${what}: ${answer.text}`)
  assert.equal(answer.headers.get('www-authenticate'), status === 401 ? 'Bearer' : null, what)
  if (spelled.method === 'HEAD') assert.equal(answer.text, '', what)
  else if (status >= 400) assert.notEqual(answer.text, '', what)
  return answer
}

test('the table of routes has a line for every declared route, and no other [server:route-table]', () => {
  const lines = rows.map(({ route }) => route)
  assertRoutes(lines, describedRoutes(description), 'ROUTES of test/support/routes.ts')
  assert.equal(new Set(lines).size, lines.length)
  for (const { route, statuses } of rows) assert.deepEqual(Object.keys(statuses), CALLERS, route)
})

for (const row of rows)
  test(`${row.route} answers every caller in every spelling as in the table of routes, and a refusal changes nothing [server:route-table]`, async () => {
    const cells = cellsOf(row)
    const call = await requestFor(row)
    const unknown = unknownFor(row, call)
    if (!isSecond) await until(noneWorks, 'the end of all jobs')
    const before = isSecond ? undefined : await holdings()
    for (const cell of cells) {
      if (cell.status < 400) continue
      const answer = await sendCell(cell, call)
      // Where the caller may not come in, an id that exists is refused as one that does not.
      if (answer && unknown && row.missing === 401 && cell.status === 401 && cell.spelling.name === 'plain')
        assert.equal((await send(unknown, cell.key)).text, answer.text, cell.what)
    }
    if (unknown) assert.equal((await send(unknown, undefined)).status, row.missing)
    if (before) assert.deepEqual(await holdings(), before)
    // Those who are let in: each gets things of its own, as the one before may have removed them.
    for (const cell of cells) if (cell.status < 400) await sendCell(cell, await requestFor(row))
  })

test('the server is ready after all routes were called, and its log has no error', async () => {
  assert.equal((await platform.call('GET', '/readyz')).status, 200)
  assert.deepEqual(
    platform.log.filter(({ level }) => level === 'error'),
    [],
  )
})
