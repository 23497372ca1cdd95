import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { until } from '../../../test/support/until.ts'
import { createEgress, type Egress, type EgressOptions } from './client.ts'
import { createEgressRules } from './rules.ts'
import { LOOPBACK } from '../../../test/support/loopback.ts'

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Answer = (response: ServerResponse, request: Seen) => unknown

/** A server on loopback with a client beside it; both end with the test. */
async function setUp(t: TestContext, answer: Answer, options: Partial<EgressOptions> = {}) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = (await buffer(request)).toString()
    seen.push({ method, url, headers, body })
    await answer(response, seen.at(-1)!)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }), ...options })
  t.after(async () => {
    await egress.close()
    server.closeAllConnections()
    server.close()
  })
  return { egress, seen, port, url: `http://127.0.0.1:${port}` }
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const ok: Answer = (response) => response.end('fine')
const redirectTo = (location: string, status: number) => (response: ServerResponse) =>
  response.writeHead(status, { location }).end()

test('fetch() sends what it is given and answers what comes back', async (t) => {
  const { egress, seen, url } = await setUp(t, (response) =>
    response.writeHead(418, { 'x-a': 'b' }).end('tea'),
  )
  const response = await egress.fetch(`${url}/x?y=1`, {
    method: 'PUT',
    headers: { 'x-c': 'd' },
    body: 'body',
  })
  assert.equal(response.status, 418)
  assert.equal(response.headers.get('x-a'), 'b')
  assert.equal(response.url, `${url}/x?y=1`)
  assert.equal(await response.text(), 'tea')
  assert.partialDeepStrictEqual(seen, [
    { method: 'PUT', url: '/x?y=1', body: 'body', headers: { 'x-c': 'd', 'user-agent': 'sluice' } },
  ])
})

test('fetch() sends a form with its boundary', async (t) => {
  const { egress, seen, url } = await setUp(t, ok)
  const form = new FormData()
  form.append('name', 'value')
  await egress.fetch(url, { method: 'POST', body: form })
  assert.match(seen[0]!.headers['content-type']!, /^multipart\/form-data; boundary=/)
  assert.match(seen[0]!.body, /name="name"\r\n\r\nvalue/)
})

test('fetch() refuses addresses, names and schemes that the rules do not allow, before a byte is sent', async (t) => {
  const resolve = async (name: string) => (name === 'two.example' ? ['127.0.0.1', '10.0.0.1'] : ['10.0.0.1'])
  const { egress, seen, port } = await setUp(t, ok, { resolve })
  for (const target of [
    'http://10.0.0.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://0xa000001/',
    'http://169.254.169.254/latest/meta-data',
    'http://one.example/',
    `http://two.example:${port}/`,
    'file:///etc/passwd',
    'data:text/plain,x',
  ])
    await assert.rejects(egress.fetch(target), { code: 'egress_denied', status: 403 }, target)
  assert.deepEqual(seen, [])
})

test('forProvider() opens the place of its address on this machine, but neither its redirects nor the calls of others', async (t) => {
  const rules = createEgressRules({ loopback: true })
  const other = await setUp(t, ok, { rules })
  const { egress, seen, url } = await setUp(
    t,
    (response, { url: asked }) =>
      asked === '/away' ? redirectTo(`${other.url}/x`, 307)(response) : response.end('fine'),
    { rules },
  )
  const provider = egress.forProvider(`${url}/v1`)
  assert.equal(await (await provider.fetch(`${url}/v1/models`)).text(), 'fine')
  const byName = url.replace('127.0.0.1', 'localhost')
  assert.equal(await (await egress.forProvider(byName).fetch(byName)).text(), 'fine')
  assert.equal(seen.length, 2)
  await assert.rejects(provider.fetch(`${url}/away`), { code: 'egress_denied' })
  await assert.rejects(provider.fetch(other.url), { code: 'egress_denied' })
  // The connection that the provider has left open is not for others.
  await assert.rejects(egress.fetch(`${url}/v1/models`), { code: 'egress_denied' })
  assert.deepEqual(other.seen, [])
})

test('socket() of a provider connects to its place on this machine, and to no other', async (t) => {
  const { egress, port } = await setUp(t, ok, { rules: createEgressRules({ loopback: true }) })
  const outcome = async (of: Egress) => {
    const socket = of.socket().connect(port, '127.0.0.1')
    const [error] = await Promise.race([
      once(socket, 'connect'),
      once(socket, 'error').then(([e]) => [e]),
    ]).catch((thrown: unknown) => [thrown])
    socket.destroy()
    return (error as { code?: string } | undefined)?.code ?? 'connected'
  }
  assert.equal(await outcome(egress.forProvider(`127.0.0.1:${port}`)), 'connected')
  assert.equal(await outcome(egress.forProvider(`127.0.0.1:${port + 1}`)), 'egress_denied')
  assert.equal(await outcome(egress), 'egress_denied')
})

test('fetch() refuses loopback unless the rules list it', async (t) => {
  const { egress, url } = await setUp(t, ok, { rules: createEgressRules({}) })
  await assert.rejects(egress.fetch(url), { code: 'egress_denied' })
})

test('fetch() connects to the address that was checked and resolves a name once per connection', async (t) => {
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    return asked.length === 1 ? ['127.0.0.1'] : ['10.0.0.1']
  }
  const { egress, seen, port } = await setUp(
    t,
    (response) => response.setHeader('connection', 'close').end('fine'),
    { resolve },
  )
  const url = `http://rebind.invalid:${port}/`
  assert.equal(await (await egress.fetch(url)).text(), 'fine')
  assert.equal(seen[0]!.headers.host, `rebind.invalid:${port}`)
  await assert.rejects(egress.fetch(url), { code: 'egress_denied' })
  assert.deepEqual(asked, ['rebind.invalid', 'rebind.invalid'])
})

test('fetch() judges where a redirect leads like any other call', async (t) => {
  for (const target of ['http://10.0.0.1/', 'http://inside.example/', 'file:///etc/passwd']) {
    const { egress, url } = await setUp(t, redirectTo(target, 302), { resolve: async () => ['192.168.0.1'] })
    await assert.rejects(egress.fetch(url), { code: 'egress_denied' }, target)
  }
})

test('fetch() refuses a redirect to an invalid URL', async (t) => {
  const { egress, url } = await setUp(t, redirectTo('http://[', 302))
  await assert.rejects(egress.fetch(url), { code: 'provider_failed', message: /no address/ })
})

test('fetch() takes a name and a password for what they are where they cannot be unescaped', async (t) => {
  const { egress, seen, url } = await setUp(t, ok)
  await egress.fetch(url.replace('//', '//a%zz:b%20c@'))
  assert.equal(seen[0]!.headers.authorization, `Basic ${btoa('a%zz:b c')}`)
})

test('fetch() leaves everything that may be a secret behind when the origin changes', async (t) => {
  const there = await setUp(t, ok)
  const here = await setUp(t, redirectTo(`${there.url}/end`, 307))
  const headers = {
    authorization: 'Bearer secret',
    cookie: 'a=secret',
    'x-api-key': 'secret',
    'x-anything': 'secret',
    accept: 'text/html',
    'content-type': 'text/plain',
  }
  const response = await here.egress.fetch(here.url, { method: 'POST', headers, body: 'body' })
  assert.equal(response.url, `${there.url}/end`)
  assert.equal(here.seen[0]!.headers.authorization, 'Bearer secret')
  assert.partialDeepStrictEqual(there.seen, [
    { method: 'POST', body: 'body', headers: { accept: 'text/html', 'content-type': 'text/plain' } },
  ])
  assert.doesNotMatch(JSON.stringify(there.seen), /secret/)
})

test('fetch() keeps its headers within the origin', async (t) => {
  const { egress, seen, url } = await setUp(t, (response, { url }) =>
    url === '/' ? redirectTo('/end', 301)(response) : response.end(),
  )
  await egress.fetch(url, { headers: { authorization: 'Bearer secret' } })
  assert.deepEqual(
    seen.map(({ url, headers }) => [url, headers.authorization]),
    [
      ['/', 'Bearer secret'],
      ['/end', 'Bearer secret'],
    ],
  )
})

for (const [status, method, becomes] of [
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'POST', 'GET'],
  [303, 'PUT', 'GET'],
  [303, 'HEAD', 'HEAD'],
  [302, 'PUT', 'PUT'],
  [307, 'POST', 'POST'],
  [308, 'DELETE', 'DELETE'],
] as const)
  test(`fetch() follows a ${status} after ${method} with ${becomes}`, async (t) => {
    const { egress, seen, url } = await setUp(t, (response, { url }) =>
      url === '/' ? redirectTo('/end', status)(response) : response.end(),
    )
    await egress.fetch(url, { method, ...(method === 'HEAD' ? {} : { body: 'body' }) })
    const body = becomes === 'GET' || becomes === 'HEAD' ? '' : 'body'
    assert.partialDeepStrictEqual(seen[1], { method: becomes, url: '/end', body })
  })

test('fetch() follows five redirects and not a sixth, and none with redirect: manual', async (t) => {
  let hops = 5
  const { egress, seen, url } = await setUp(t, (response, { url }) => {
    const hop = Number(url.slice(1))
    return hop < hops ? redirectTo(`/${hop + 1}`, 302)(response) : response.end('there')
  })
  assert.equal(await (await egress.fetch(`${url}/0`)).text(), 'there')
  hops = 6
  await assert.rejects(egress.fetch(`${url}/0`), {
    code: 'provider_failed',
    message: /redirects more than 5/,
  })
  seen.length = 0
  assert.equal((await egress.fetch(`${url}/0`, { redirect: 'manual' })).status, 302)
  assert.equal(seen.length, 1)
})

test('fetch() turns a name and password of a URL into a header, and no message has them', async (t) => {
  const { egress, seen, port } = await setUp(t, (response) => response.socket!.destroy())
  await assert.rejects(egress.fetch(`http://me:p%40ss@127.0.0.1:${port}/`), (error: Error) => {
    assert.doesNotMatch(error.message, /me:|p.*ss@/)
    return true
  })
  assert.equal(seen[0]!.headers.authorization, `Basic ${Buffer.from('me:p@ss').toString('base64')}`)
})

test('fetch() gives up on an answer that does not begin, or falls silent in its middle', async (t) => {
  const { egress, url } = await setUp(t, (response, { url }) => {
    if (url === '/middle') response.write('begin')
  })
  await assert.rejects(egress.limited({ headersMs: 30 })(url), { code: 'provider_timeout', status: 504 })
  const response = await egress.limited({ idleMs: 30 })(`${url}/middle`)
  await assert.rejects(response.text(), { code: 'provider_timeout' })
})

test('fetch() refuses an answer that is too large, also when it arrives packed', async (t) => {
  const { egress, url } = await setUp(t, (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2_000_000))),
  )
  assert.equal((await (await egress.fetch(url)).arrayBuffer()).byteLength, 2_000_000)
  const response = await egress.limited({ responseBytes: 1_000_000 })(url)
  await assert.rejects(response.arrayBuffer(), {
    code: 'provider_failed',
    message: /larger than 1000000 bytes/,
  })
})

test('fetch() calls a cut, a refused connection and an unknown name a failure of the network', async (t) => {
  const { egress, url } = await setUp(
    t,
    (response, { url }) => {
      if (url === '/middle') response.writeHead(200, { 'content-length': 100 }).write('begin')
      setImmediate(() => response.socket!.destroy())
    },
    {
      resolve: async () => {
        throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
      },
    },
  )
  const cut = { name: 'NetworkError', code: 'provider_failed', message: /the connection was cut/ }
  await assert.rejects(egress.fetch(url), cut)
  await assert.rejects(async () => (await egress.fetch(`${url}/middle`)).text(), cut)
  await assert.rejects(egress.fetch('http://unknown.invalid'), { name: 'NetworkError', message: /not known/ })
  await assert.rejects(egress.fetch(`http://127.0.0.1:${await closedPort()}`), {
    name: 'NetworkError',
    message: /the connection was refused/,
  })
})

test('fetch() ends at once, with the reason of the caller, before and in the middle of an answer', async (t) => {
  const { egress, seen, url } = await setUp(t, (response, { url }) => {
    if (url === '/middle') response.write('begin')
  })
  const reason = new Error('no longer wanted')
  for (const path of ['/', '/middle']) {
    const caller = new AbortController()
    const calls = seen.length
    const call = (async () => (await egress.fetch(url + path, { signal: caller.signal })).text())()
    const ended = assert.rejects(call, reason)
    await until(() => seen.length > calls, 'the call')
    caller.abort(reason)
    await ended
  }
})
