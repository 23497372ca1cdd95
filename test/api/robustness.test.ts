import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { makePlatform, testScenarios } from '../support/platform.ts'
import { openSocket, post, sendRaw } from '../support/raw-http.ts'

const platform = await makePlatform({}, { servers: 1 })
const upsert = '/api/v1/vector/upsert/quickstart'
const query = '/api/v1/vector/query/quickstart'
const json = { 'content-type': 'application/json' }
const text = await platform.flow({ name: 'Text', loaders: { plainText: { text: 'Some words.' } } })

testScenarios(platform, [
  {
    name: 'JSON that does not parse is a bad request',
    method: 'POST',
    path: query,
    headers: json,
    body: '{"query": "secret words',
    status: 400,
    expect: { code: 'body_invalid' },
    absent: ['secret words'],
  },
  {
    name: 'JSON of a thousand levels is a bad request',
    method: 'POST',
    path: query,
    headers: json,
    body: `{"query":"x","filter":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}`,
    status: 400,
    expect: { code: 'body_invalid' },
  },
  {
    name: 'JSON of a hundred thousand levels is a bad request',
    method: 'POST',
    path: upsert,
    headers: json,
    body: '['.repeat(100_000) + ']'.repeat(100_000),
    status: 400,
    expect: { code: 'body_invalid' },
  },
  {
    name: 'a body that is a list is a bad request',
    method: 'POST',
    path: query,
    headers: json,
    body: '[]',
    status: 400,
    expect: { code: 'body_invalid' },
  },
  {
    name: 'a body that is null counts as an empty one',
    method: 'POST',
    path: `/api/v1/vector/upsert/${text}`,
    headers: json,
    body: 'null',
    status: 200,
  },
  {
    name: 'a field longer than allowed is a bad request',
    method: 'POST',
    path: query,
    body: { query: 'x'.repeat(100_001) },
    status: 400,
    expect: { code: 'body_invalid' },
  },
  {
    name: 'a JSON body of more than 50 MB is refused',
    method: 'POST',
    path: query,
    headers: json,
    body: `"${'x'.repeat(50 * 2 ** 20)}"`,
    status: 413,
    expect: { code: 'body_too_large' },
  },
  {
    name: 'text is not JSON',
    method: 'POST',
    path: query,
    headers: { 'content-type': 'text/plain' },
    body: '{"query": "x"}',
    status: 415,
    expect: { code: 'content_type_not_accepted' },
    contains: ['application/json'],
  },
  {
    name: 'a form is not JSON',
    method: 'POST',
    path: query,
    body: new FormData(),
    status: 415,
    expect: { code: 'content_type_not_accepted' },
  },
  {
    name: 'a form changes no flow and is not taken for an empty change',
    method: 'PUT',
    path: `/api/v1/chatflows/${text}`,
    key: 'the-management-key-of-the-tests',
    body: new FormData(),
    status: 415,
  },
  {
    name: 'a path with a broken percent-escape is a bad request',
    path: '/api/v1/vector/query/%zz?q=x',
    status: 400,
    expect: { code: 'path_invalid' },
  },
  {
    name: 'a path with half a UTF-8 sign is a bad request',
    path: '/api/v1/vector/query/%ff?q=x',
    status: 400,
  },
  {
    name: 'a path with a NUL leads to no flow',
    path: '/api/v1/vector/query/a%00b?q=x',
    status: 404,
    expect: { code: 'flow_not_found' },
  },
  {
    name: 'a broken percent-escape in a query is text',
    path: `${query}?q=100%`,
    status: 200,
  },
  {
    name: 'a question twice is a bad request',
    path: `${query}?q=a&q=b`,
    status: 400,
    expect: { code: 'query_invalid' },
  },
  {
    name: 'a very long name in a path is a bad request, and is not repeated',
    path: `/api/v1/vector/query/${'a'.repeat(8000)}?q=x`,
    status: 400,
    expect: { code: 'path_invalid' },
    absent: ['aaaa'],
  },
  {
    name: 'an unknown route is not found',
    method: 'POST',
    path: '/api/v1/nothing',
    body: {},
    status: 404,
    expect: { code: 'route_not_found', message: 'There is nothing at POST /api/v1/nothing' },
  },
  {
    name: 'an unknown route does not repeat the query string, which may hold a secret',
    path: '/nothing?token=0123456789',
    status: 404,
    absent: ['0123456789'],
  },
  { name: 'a method that a route does not take is not found', method: 'PATCH', path: upsert, status: 404 },
  {
    name: 'OPTIONS is not found for routes that pages of other sites may not use',
    method: 'OPTIONS',
    path: '/api/v1/chatflows',
    status: 404,
  },
  { name: 'HEAD is answered as GET, without a body', method: 'HEAD', path: '/api/v1/ping', status: 200 },
  {
    name: 'HEAD of an unknown route has a status and no body',
    method: 'HEAD',
    path: '/nothing',
    status: 404,
  },
  { name: 'a slash at the end is the same route', path: '/api/v1/ping/', status: 200, contains: ['pong'] },
  {
    name: 'no way leads out of the documentation into the files of the server',
    path: '/docs/..%2f..%2fpackage.json',
    status: 404,
  },
])

const BOUNDARY = 'b0undary'
const multipart = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
const partOf = (name: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n${content}\r\n`
const end = `--${BOUNDARY}--\r\n`
const whole = partOf('a.txt', 'Some words.') + end

for (const [what, headers, body, code] of [
  ['without a boundary', { 'Content-Type': 'multipart/form-data' }, whole, 'body_invalid'],
  ['with an empty boundary', { 'Content-Type': 'multipart/form-data; boundary=' }, whole, 'body_invalid'],
  ['with another boundary', { 'Content-Type': 'multipart/form-data; boundary=other' }, whole, 'body_invalid'],
  ['with nothing in it', multipart, '', 'body_invalid'],
  ['with nothing but its end', multipart, end, 'form_expected'],
  ['without its end', multipart, partOf('a.txt', 'Some words.'), 'body_invalid'],
  ['that ends within a file', multipart, whole.slice(0, -25), 'body_invalid'],
  ['that ends within the headers of a part', multipart, whole.slice(0, 60), 'body_invalid'],
  [
    'that ends within a field',
    multipart,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="chunkSize"\r\n\r\n50`,
    'body_invalid',
  ],
  [
    'with a field that has no name',
    multipart,
    `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n${whole}`,
    'body_invalid',
  ],
  ['with a file without a name', multipart, partOf('', 'Some words.') + whole, 'file_name_invalid'],
  [
    'with files as text',
    multipart,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"\r\n\r\nSome words.\r\n${whole}`,
    'file_name_invalid',
  ],
  [
    'with a field of more than 10 MB',
    multipart,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="x"\r\n\r\n${'x'.repeat(10 * 2 ** 20 + 1)}\r\n${whole}`,
    'body_too_large',
  ],
  [
    'with more than 1000 fields',
    multipart,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n`.repeat(1001) + whole,
    'body_invalid',
  ],
] as const)
  test(`a form ${what} is refused as ${code}`, async () => {
    const answer = await sendRaw(platform.url, post(upsert, headers, body))
    assert.partialDeepStrictEqual(answer.body, { code }, answer.text)
    assert.equal(answer.status, code === 'body_too_large' ? 413 : 400)
  })

test('a multipart body with the empty file input of a browser is accepted', async () => {
  const body = partOf('', '') + whole
  const answer = await sendRaw(platform.url, post(upsert, multipart, body))
  assert.partialDeepStrictEqual(answer.body, { files: [{ name: 'a.txt' }], numFailed: 0 }, answer.text)
})

for (const [what, request, status, code] of [
  ['is no HTTP', 'Hello, server!\r\n\r\n', 400, 'request_malformed'],
  [
    'has a length and chunks',
    `POST ${upsert} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
    'request_malformed',
  ],
  [
    'has two lengths',
    `POST ${upsert} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n`,
    400,
    'request_malformed',
  ],
  [
    'has a header of 100 kB',
    `GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'has a path of 100 kB',
    `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    431,
    'headers_too_large',
  ],
] as const)
  test(`a request that ${what} is refused as ${code}`, async () => {
    const { status: given, body, text } = await sendRaw(platform.url, request)
    assert.equal(given, status, text)
    assert.partialDeepStrictEqual(body, { code })
  })

test('a chunked upload with broken chunks is refused', async () => {
  const head = `POST ${upsert} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: ${multipart['Content-Type']}\r\n\r\n`
  const { status } = await sendRaw(platform.url, head, '5\r\n--b0u\r\n', 'not a length\r\n')
  assert.equal(status, 400)
})

test('uploads that were refused or cut off leave neither a file nor an open one behind', async () => {
  const openFiles = () => readdirSync('/dev/fd').length
  const before = openFiles()
  const head = (length: number) =>
    `POST ${upsert} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\nContent-Type: ${multipart['Content-Type']}\r\n\r\n`
  for (let round = 0; round < 10; round++) {
    const socket = await openSocket(platform.url)
    socket.write(head(10_000_000) + partOf('whole.txt', 'words').slice(0, -2))
    socket.write(partOf('cut.txt', 'x'.repeat(200_000)))
    await until(() => platform.uploads().length > 0)
    socket.destroy()
    await until(() => platform.uploads().length === 0)
  }
  await until(() => openFiles() <= before)
})

test('the server is alive after all of this, and nothing went wrong inside', async () => {
  const { body } = await platform.call('GET', '/api/v1/readyz')
  const dependencies = ['database', 'disk'].map((name) => ({ name, state: 'ok' }))
  assert.deepEqual(body, { status: 'ready', dependencies })
  assert.deepEqual(
    platform.log.filter(({ level }) => level === 'error'),
    [],
  )
})

async function until(condition: () => boolean) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
