import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { conversationFlow } from '../support/chat-flows.ts'
import { makePlatform } from '../support/platform.ts'
import { firstAnswer, openSocket, readAnswer, sendRaw } from '../support/raw-http.ts'

const MB = 2 ** 20
/** An answer that must come without the body is waited for so long. */
const soon = { timeout: 120_000 }

const platform = await makePlatform({ MIN_BODY_RATE: '0' }, { servers: 1 })
const exposed = await makePlatform({ HOST: '0.0.0.0', MIN_BODY_RATE: '0' }, { servers: 1 })
const { apiKey } = await exposed.key({ flows: ['quickstart'], scopes: ['predict'] })

type Failure = { code: string; message: string; error?: { code: string } }

const head = (line: string, ...fields: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...fields].join('\r\n')}\r\n\r\n`
const json = (length: number) => ['Content-Type: application/json', `Content-Length: ${length}`]

/** The answer to a request with a body that does not arrive whole. */
async function ask(url: string, ...parts: (string | Buffer)[]) {
  const socket = await openSocket(url)
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  const answer = await firstAnswer<Failure>(socket)
  socket.destroy()
  return answer
}

for (const { what, line, fields = [], status, code, at = platform } of [
  { what: 'a route that does not exist', line: 'POST /nothing', status: 404, code: 'route_not_found' },
  {
    what: 'a method that the route does not have',
    line: 'POST /healthz',
    status: 404,
    code: 'route_not_found',
  },
  { what: 'a route that needs a key', line: 'POST /api/v1/chatflows', status: 401, code: 'unauthorized' },
  {
    what: 'a body over the limit of a route',
    line: 'POST /api/v1/apikey',
    fields: ['Authorization: Bearer the-management-key-of-the-tests'],
    status: 413,
    code: 'body_too_large',
  },
  {
    what: 'a body of 24 MB for a flow that only the body names, without a key',
    line: 'POST /v1/chat/completions',
    status: 413,
    code: 'body_too_large',
    at: exposed,
  },
] as const)
  test(`a request is refused before its body is read: ${what} [door:before-body]`, soon, async () => {
    const answer = await ask(at.url, head(line, ...json(24 * MB), ...fields), '[[[[')
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.body.error?.code ?? answer.body.code, code)
  })

test(
  'a caller with a key may send more than 1 MB to a flow that only the body names [door:body-limit]',
  soon,
  async () => {
    const model = 'quickstart'
    const content = 'x'.repeat(2 * MB)
    const { status, body } = await exposed.call<Failure>('POST', '/v1/chat/completions', {
      key: apiKey,
      body: { model, messages: [{ role: 'user', content }] },
    })
    assert.notEqual(status, 413)
    assert.notEqual(body.error?.code, 'body_too_large')
  },
)

test(
  'JSON that is too deep or has too many values is refused while it arrives [door:json-bounds]',
  soon,
  async () => {
    const path = 'POST /api/v1/prediction/quickstart'
    const deep = await ask(platform.url, head(path, ...json(MB)), '['.repeat(300))
    assert.deepEqual([deep.status, deep.body.code], [400, 'body_invalid'])
    assert.match(deep.body.message, /deeper than 200/)
    const many = await ask(platform.url, head(path, ...json(MB)), `[${'1,'.repeat(250_000)}`)
    assert.deepEqual([many.status, many.body.code], [400, 'body_invalid'])
    assert.match(many.body.message, /more than 200000 values/)
  },
)

test('a client that still sends a refused body sees the answer', soon, async () => {
  const socket = await openSocket(platform.url)
  socket.on('error', () => {})
  const answer = firstAnswer<Failure>(socket)
  socket.write(head('POST /nothing', ...json(16 * MB)))
  for (let sent = 0; sent < 16; sent++) if (!socket.write(Buffer.alloc(MB, '['))) await once(socket, 'drain')
  assert.equal((await answer).status, 404)
  socket.destroy()
})

test(
  'a client that sends Expect: 100-continue gets 100 only if the server takes the body [door:continue]',
  soon,
  async () => {
    const refused = await ask(
      platform.url,
      head('POST /api/v1/chatflows', ...json(9), 'Expect: 100-continue'),
    )
    assert.equal(refused.status, 401)
    const socket = await openSocket(platform.url)
    const line = 'POST /api/v1/vector/query/quickstart'
    socket.write(head(line, ...json(14), 'Expect: 100-continue', 'Connection: close'))
    const [goOn] = (await once(socket, 'data')) as [Buffer]
    assert.match(goOn.toString(), /^HTTP\/1\.1 100 /)
    socket.write('{"query":"an"}')
    assert.equal((await readAnswer(socket)).status, 200)
  },
)

test('bodies and uploads that arrive too slowly end with 408 [door:body-rate]', soon, async () => {
  const strict = await makePlatform({ MIN_BODY_RATE: '1000000', BODY_WAIT_S: '1' }, { servers: 1 })
  const slow = await ask(strict.url, head('POST /api/v1/prediction/quickstart', ...json(MB)), '{"question"')
  assert.deepEqual([slow.status, slow.body.code], [408, 'request_timeout'])
  const form = ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${MB}`]
  const part = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nOtters'
  const upload = await ask(strict.url, head('POST /api/v1/vector/upsert/quickstart', ...form), part)
  assert.deepEqual([upload.status, upload.body.code], [408, 'request_timeout'])
  assert.deepEqual(strict.uploads(), [])
})

test(
  'bodies in flight hold no more memory than the settings allow, and give it back [door:body-memory]',
  soon,
  async () => {
    const small = await makePlatform({ BODY_MEMORY_PER_ADDRESS_MB: '1', MIN_BODY_RATE: '0' }, { servers: 1 })
    const parts = [
      head('POST /api/v1/prediction/quickstart', ...json(50 * MB)),
      `{"question":"${'x'.repeat(0.7 * MB)}`,
    ]
    const first = await openSocket(small.url)
    for (const part of parts) first.write(part)
    // One of the two is one too many, whichever arrives first.
    const second = await openSocket(small.url)
    for (const part of parts) second.write(part)
    const refused = await Promise.race([firstAnswer<Failure>(first), firstAnswer<Failure>(second)])
    assert.deepEqual([refused.status, refused.body.code], [503, 'server_busy'])
    assert.equal(refused.headers.get('retry-after'), '1')
    first.destroy()
    second.destroy()
    const question = 'x'.repeat(0.7 * MB)
    let status = 503
    while (status === 503)
      ({ status } = await small.call('POST', '/api/v1/prediction/quickstart', { body: { question } }))
    assert.notEqual(status, 503)
  },
)

test(
  'connections of one address beyond the limit are refused, and a place that is free again is taken [door:connections]',
  soon,
  async () => {
    const narrow = await makePlatform({ MAX_CONNECTIONS_PER_ADDRESS: '4' }, { servers: 1 })
    const sockets = []
    const answers: string[] = []
    for (let i = 0; i < 8; i++) {
      const socket = await openSocket(narrow.url)
      socket.on('error', () => {})
      socket.on('data', (piece: Buffer) => answers.push(piece.toString()))
      sockets.push(socket)
    }
    while (answers.length < 4) await new Promise((resolve) => setTimeout(resolve, 5))
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 503 .*"code":"server_busy"/s)
    for (const socket of sockets) socket.destroy()
    let free = false
    while (!free)
      free = await narrow.call('GET', '/healthz').then(
        ({ status }) => status === 200,
        () => false,
      )
  },
)

test('a platform with bodies that never end stops [door:stop]', { timeout: 120_000 }, async () => {
  const stuck = await makePlatform({ MIN_BODY_RATE: '0' }, { servers: 1 })
  const socket = await openSocket(stuck.url)
  socket.on('error', () => {})
  const gone = once(socket, 'close')
  socket.write(`${head('POST /api/v1/prediction/quickstart', ...json(MB))}{`)
  await stuck.call('GET', '/healthz')
  await stuck.close()
  await gone
})

for (const { what, bytes, status, code } of [
  {
    what: 'Expect',
    bytes: head('GET /healthz', 'Expect: a-miracle'),
    status: 417,
    code: 'expectation_failed',
  },
  { what: 'a missing Host', bytes: 'GET /healthz HTTP/1.1\r\n\r\n', status: 400, code: 'host_invalid' },
  {
    what: 'an empty Host',
    bytes: 'GET /healthz HTTP/1.1\r\nHost:\r\n\r\n',
    status: 400,
    code: 'host_invalid',
  },
  { what: 'two Hosts', bytes: head('GET /healthz', 'Host: localhost'), status: 400, code: 'host_invalid' },
  { what: 'CONNECT', bytes: head('CONNECT example.com:443'), status: 404, code: 'route_not_found' },
  { what: 'PROPFIND', bytes: head('PROPFIND /healthz'), status: 404, code: 'route_not_found' },
  { what: 'TRACE', bytes: head('TRACE /healthz'), status: 404, code: 'route_not_found' },
  { what: 'a method that is none', bytes: head('JUMP /healthz'), status: 400, code: 'request_malformed' },
  {
    what: 'a path without end',
    bytes: head(`GET /${'x'.repeat(70_000)}`),
    status: 431,
    code: 'headers_too_large',
  },
  { what: 'no HTTP at all', bytes: 'Good morning\r\n\r\n', status: 400, code: 'request_malformed' },
])
  test(`the one error body answers ${what} [door:one-error-body]`, soon, async () => {
    const answer = await ask(platform.url, bytes)
    assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text)
  })

const named = (path: string, host: string, ...fields: string[]) =>
  [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...fields, '', ''].join('\r\n')
const QUERY = '/api/v1/vector/query/quickstart?q=otters'

for (const [host, status] of [
  ['localhost:3000', 200],
  ['LOCALHOST', 200],
  ['localhost.', 200],
  ['127.0.0.1', 200],
  ['127.8.9.1:80', 200],
  ['[::1]:3000', 200],
  ['evil.example:3000', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost.evil.example', 403],
  ['192.168.1.5', 403],
  ['sluice', 403],
  ['evil example', 400],
  ['localhost:3000@evil.example', 400],
] as const)
  test(`a server on loopback answers ${status} to the Host ${host} [door:host]`, soon, async () => {
    assert.equal((await sendRaw(platform.url, named(QUERY, host))).status, status)
  })

for (const [host, status] of [
  ['192.168.1.5:3000', 200],
  ['[fd00::5]', 200],
  ['sluice:3000', 200],
  ['evil.example', 403],
] as const)
  test(`a server on all addresses answers ${status} to the Host ${host} [door:host]`, soon, async () => {
    assert.equal((await sendRaw(exposed.url, named(QUERY, host))).status, status)
  })

test('ALLOWED_HOSTS names hosts and domains that the server answers to [door:host]', soon, async () => {
  const { url } = await makePlatform({ ALLOWED_HOSTS: 'docs.example.com, *.inner.example' }, { servers: 1 })
  for (const [host, status] of [
    ['docs.example.com', 200],
    ['Docs.Example.com:8443', 200],
    ['a.b.inner.example', 200],
    ['inner.example.evil.example', 403],
    ['example.com', 403],
  ] as const)
    assert.equal((await sendRaw(url, named(QUERY, host))).status, status, host)
})

const upload = (...fields: string[]) => {
  const body =
    '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nOtters\r\n--b--\r\n'
  const type = [
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  return head('POST /api/v1/vector/upsert/quickstart', ...type, ...fields) + body
}

test(
  'a request that a proxy forwarded is not local, and writes into no open flow [door:local]',
  soon,
  async () => {
    assert.equal((await sendRaw(platform.url, upload())).status, 200)
    for (const field of ['X-Forwarded-For: 127.0.0.1', 'Forwarded: for=127.0.0.1', 'Via: 1.1 proxy']) {
      const { status, body } = await sendRaw<Failure>(platform.url, upload(field))
      assert.deepEqual([status, body.code], [401, 'open_upsert_refused'], field)
    }
  },
)

test(
  'TRUST_PROXY makes only those requests local that the proxy got from this machine [door:local]',
  soon,
  async () => {
    const { url } = await makePlatform({ TRUST_PROXY: '127.0.0.0/8' }, { servers: 1 })
    for (const [fields, status] of [
      [[], 401],
      [['X-Forwarded-For: 203.0.113.9'], 401],
      [['X-Forwarded-For: 127.0.0.1, 203.0.113.9'], 401],
      [['X-Forwarded-For: ::1'], 200],
    ] as const)
      assert.equal((await sendRaw(url, upload(...fields))).status, status, fields.join())
  },
)

test(
  'wrong keys are slowed down for their address; right keys and other addresses go on [door:wrong-keys]',
  soon,
  async () => {
    const guarded = await makePlatform(
      { WRONG_KEYS_PER_MINUTE: '5', TRUST_PROXY: '127.0.0.1' },
      { servers: 1 },
    )
    const admin = 'the-management-key-of-the-tests'
    const list = (key: string, from: string) =>
      guarded.call<Failure>('GET', '/api/v1/chatflows', { key, headers: { 'x-forwarded-for': from } })
    assert.equal((await list(admin, '203.0.113.1')).status, 200)
    const tries = await Promise.all(Array.from({ length: 30 }, (_, i) => list(`guess-${i}`, '203.0.113.1')))
    const refused = tries.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 20 && refused.length <= 25, `${refused.length} were refused`)
    assert.equal(refused[0]!.body.code, 'too_many_keys')
    assert.ok(Number(refused[0]!.headers.get('retry-after')) >= 1)
    assert.equal((await list(admin, '203.0.113.1')).status, 200, 'a key that was right before')
    assert.equal((await list(admin, '203.0.113.2')).status, 200, 'another address')
    assert.equal((await list('a-wrong-one', '203.0.113.2')).status, 401, 'another address')
  },
)

test(
  'GET /verify/apikey/:key counts wrong keys of an address as other routes do [door:wrong-keys]',
  soon,
  async () => {
    const guarded = await makePlatform({ WRONG_KEYS_PER_MINUTE: '5' }, { servers: 1 })
    const tries = await Promise.all(
      Array.from({ length: 30 }, (_, i) => guarded.call('GET', `/api/v1/verify/apikey/guess-${i}`)),
    )
    const refused = tries.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 20 && refused.length <= 25, `${refused.length} were refused`)
  },
)

test('GET /v1/models names open flows to no page that may not ask them [door:models]', soon, async () => {
  const names = async (origin: string) =>
    (
      await platform.call<{ data: { id: string }[] }>('GET', '/v1/models', { headers: { origin } })
    ).body.data.map(({ id }) => id)
  await platform.manage('POST', '/api/v1/chatflows', {
    name: 'Talking',
    slug: 'talking',
    flowData: conversationFlow('http://127.0.0.1:9'),
  })
  assert.ok((await names('http://localhost:8080')).includes('talking'))
  assert.ok(!(await names('https://evil.example')).includes('talking'))
})

test('a management key of less than 16 characters is refused at the start [door:admin-key]', async () => {
  await assert.rejects(makePlatform({ ADMIN_KEY: 'fifteen-letters' }), { code: 'config_invalid' })
})

test('the server answers after all of this', async () => {
  const socket = connect(Number(new URL(platform.url).port), '127.0.0.1')
  socket.destroy()
  assert.equal((await platform.call('GET', '/readyz')).status, 200)
})
