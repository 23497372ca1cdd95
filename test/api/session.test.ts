import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sluice } from '../support/command-line.ts'
import { ADMIN_KEY, type Answer, makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
const origin = new URL(platform.url).origin
/** The headers of a request that a page of the studio sends. */
const OWN = { origin, 'sec-fetch-site': 'same-origin' }
const path = '/api/v1/session'

/** The cookie that an answer sets, as a browser sends it back. */
const cookieOf = ({ headers }: Answer) => (headers.get('set-cookie') ?? '').split(';')[0]!

async function signIn(body: object = { key: ADMIN_KEY }): Promise<string> {
  const answer = await platform.call('POST', path, { headers: OWN, body })
  assert.equal(answer.status, 200, answer.text)
  return cookieOf(answer)
}

const withCookie = (cookie: string, headers: Record<string, string> = OWN) => ({
  headers: { ...headers, cookie },
})

test('POST /session sets a cookie that scripts cannot read and other sites do not send [studio:session]', async () => {
  const answer = await platform.call('POST', path, { headers: OWN, body: { key: ADMIN_KEY } })
  const cookie = answer.headers.get('set-cookie')!
  assert.match(
    cookie,
    /^sluice-[\da-f]{12}=[\da-f-]{36}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  )
  assert.doesNotMatch(answer.text, new RegExp(cookie.slice(20, 40)))
  const secure = await platform.call('POST', path, {
    headers: { ...OWN, origin: 'https://127.0.0.1' },
    body: { key: ADMIN_KEY },
  })
  assert.match(secure.headers.get('set-cookie')!, /^__Host-sluice-.*; Secure$/)
})

test('a session opens the management to pages of this server, and to no other [studio:session]', async () => {
  const cookie = await signIn()
  const body = { name: 'made_in_the_studio', value: '1', type: 'static' }
  const status = async (method: string, headers: Record<string, string>) => {
    const answer = await platform.call(method, '/api/v1/variables', {
      headers: { ...headers, cookie },
      ...(method === 'POST' ? { body } : {}),
    })
    return answer.status
  }
  const others: Record<string, string>[] = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    // Another port of this machine is the same site for a browser.
    { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'null' },
    { origin, 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of others)
    assert.deepEqual([await status('GET', headers), await status('POST', headers)], [401, 401])
  // A write without Origin is not from a page of a browser.
  assert.equal(await status('POST', {}), 401)
  assert.equal(await status('POST', { 'sec-fetch-site': 'none' }), 401)
  assert.deepEqual([await status('GET', {}), await status('GET', OWN)], [200, 200])
  assert.equal(await status('POST', OWN), 200)
})

test('a sign-in link works once; wrong codes and keys are refused and audited [studio:session] [audit:log]', async () => {
  const made = await platform.manage<{ code: string; expiresAt: string }>('POST', `${path}/codes`)
  const { code, expiresAt } = made.body
  assert.ok(Date.parse(expiresAt) > Date.now())
  const cookie = await signIn({ code })
  const state = await platform.call<{ signedIn: boolean; expiresAt: string }>('GET', path, withCookie(cookie))
  assert.equal(state.body.signedIn, true)
  assert.ok(Date.parse(state.body.expiresAt) > Date.now())
  const narrow = await platform.key({ scopes: ['query'] })
  const refused = async (body: object) => {
    const answer = await platform.call<{ code: string }>('POST', path, { headers: OWN, body })
    assert.equal(answer.headers.get('set-cookie'), null)
    return [answer.status, answer.body.code]
  }
  assert.deepEqual(await refused({ code }), [401, 'sign_in_invalid'])
  assert.deepEqual(await refused({ code: 'x' }), [401, 'sign_in_invalid'])
  assert.deepEqual(await refused({ key: 'wrong' }), [401, 'key_invalid'])
  assert.deepEqual(await refused({ key: narrow.apiKey }), [403, 'scope_missing'])
  for (const body of [{}, { code, key: ADMIN_KEY }])
    assert.deepEqual(await refused(body), [400, 'body_invalid'])
  const { body } = await platform.manage<{ entries: { route: string; caller: string; status: number }[] }>(
    'GET',
    '/api/v1/audit?limit=1000',
  )
  const signIns = body.entries.filter(({ route }) => route === path)
  assert.ok(signIns.some(({ caller, status }) => caller === 'studio session' && status === 200))
  assert.ok(signIns.some(({ status }) => status === 401))
  assert.doesNotMatch(JSON.stringify(body), new RegExp(code))
})

test('a new token is never in an answer that a cache may keep [studio:session]', async () => {
  const cookie = await signIn()
  // Tokens of ten minutes ago: the next use replaces them.
  await platform.sql('UPDATE sessions SET rotated_at = rotated_at - 600000')
  const script = /src="(\/assets\/[^"]+)"/.exec(
    (await platform.call('GET', '/', withCookie(cookie))).text,
  )?.[1]
  for (const cached of ['/', '/flows', '/docs', ...(script ? [script] : [])]) {
    const { headers } = await platform.call('GET', cached, withCookie(cookie))
    assert.equal(headers.get('set-cookie'), null, cached)
  }
  const { headers } = await platform.call('GET', path, withCookie(cookie))
  assert.match(headers.get('set-cookie')!, /^sluice-/)
  assert.equal(headers.get('cache-control'), 'no-store')
})

test('signing out ends one session; everywhere ends all and needs one [studio:session]', async () => {
  const [one, two] = [await signIn(), await signIn()]
  const signedIn = async (cookie: string) =>
    (await platform.call<{ signedIn: boolean }>('GET', path, withCookie(cookie))).body.signedIn
  assert.deepEqual([await signedIn(one), await signedIn(two)], [true, true])
  const out = await platform.call('DELETE', path, withCookie(one))
  assert.deepEqual(out.body, { ended: 1 })
  assert.match(out.headers.get('set-cookie')!, /^sluice-\w+=; .*Max-Age=0/)
  assert.deepEqual([await signedIn(one), await signedIn(two)], [false, true])
  const denied = await platform.call('DELETE', `${path}?everywhere=true`, withCookie(one))
  assert.equal(denied.status, 401)
  const everywhere = await platform.call<{ ended: number }>(
    'DELETE',
    `${path}?everywhere=true`,
    withCookie(two),
  )
  assert.ok(everywhere.body.ended >= 1)
  assert.equal(await signedIn(two), false)
})

test('questions from the studio do not use up the rate limit of a flow [studio:session]', async () => {
  const id = await platform.flow({ name: 'limited' })
  const limit = { status: true, limitMax: 2, limitDuration: 60, limitMsg: 'slow down' }
  await platform.manage('PUT', `/api/v1/chatflows/${id}`, { apiConfig: { rateLimit: limit } })
  const cookie = await signIn()
  const ask = async (headers: Record<string, string>) =>
    (await platform.call('POST', `/api/v1/vector/query/${id}`, { headers, body: { query: 'x' } })).status
  for (let n = 0; n < 5; n++) assert.notEqual(await ask({ ...OWN, cookie }), 429)
  const visitor = [await ask({}), await ask({}), await ask({})]
  assert.equal(visitor[2], 429)
  assert.ok(!visitor.slice(0, 2).includes(429))
})

test('sluice sign-in prints a link for the running server, from its files or over HTTP [studio:session]', async () => {
  const one = await makePlatform({}, { embedded: true })
  const local = await sluice(['sign-in', '--data-dir', one.dataDirectory])
  const port = new URL(platform.url).port
  const remote = await sluice(['sign-in', '--url', platform.url, '--key', ADMIN_KEY])
  const withoutScheme = await sluice(['sign-in', '--url', `127.0.0.1:${port}`, '--key', ADMIN_KEY])
  for (const [{ code, stdout, stderr }, { url, call }] of [
    [local, one],
    [remote, platform],
    [withoutScheme, platform],
  ] as const) {
    assert.equal(code, 0, stderr)
    const [, link, signInCode] = /^(http:\/\/127\.0\.0\.1:\d+)\/#sign-in=([\w-]{43})\n$/.exec(stdout) ?? []
    assert.equal(link, url)
    const headers = { ...OWN, origin: url }
    const answer = await call('POST', path, { headers, body: { code: signInCode } })
    assert.match(cookieOf(answer), /^sluice-/)
  }
})
