import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

type Sent = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** Begins a request as it is: `fetch` would decode the answer. */
async function begin(
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: object } = {},
): Promise<IncomingMessage> {
  const sent = request(platform.url + path, {
    method,
    agent: false,
    headers: {
      authorization: `Bearer ${ADMIN_KEY}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
  })
  sent.end(body && JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}

async function send(...call: Parameters<typeof begin>): Promise<Sent> {
  const answer = await begin(...call)
  return { status: answer.statusCode!, headers: answer.headers, bytes: await buffer(answer) }
}

const encodings = (accepted: string) => ({ headers: { 'accept-encoding': accepted } })

test('a large answer is sent in the encoding that the client accepts, and is the same text [answers:compressed]', async () => {
  const plain = await send('/api/v1/nodes')
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.match(plain.headers.vary ?? '', /accept-encoding/)
  for (const [accepted, encoding, decode] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const { headers, bytes } = await send('/api/v1/nodes', encodings(accepted))
    assert.equal(headers['content-encoding'], encoding)
    assert.equal(Number(headers['content-length']), bytes.length)
    assert.match(headers.vary ?? '', /accept-encoding/)
    assert.ok(bytes.length < plain.bytes.length / 4, `${bytes.length} bytes of ${plain.bytes.length}`)
    assert.equal(decode(bytes).toString(), plain.bytes.toString())
  }
  for (const accepted of ['identity', 'gzip;q=0', 'zstd', '', '*;q=0'])
    assert.equal(
      (await send('/api/v1/nodes', encodings(accepted))).headers['content-encoding'],
      undefined,
      accepted,
    )
})

test('short answers, HEAD and failures are whole; an answer with an origin keeps it in Vary [answers:compressed]', async () => {
  const short = await send('/api/v1/ping', encodings('br'))
  assert.equal(short.headers['content-encoding'], undefined)
  assert.equal(short.bytes.toString(), 'pong')
  const head = await send('/api/v1/nodes', { method: 'HEAD', ...encodings('br') })
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
  assert.equal(head.headers['content-encoding'], undefined)
  const failure = await send(`/api/v1/chatflows/${'x'.repeat(450)}`, encodings('br'))
  assert.equal(failure.status, 404)
  const flow = await platform.flow({ name: 'Public' })
  const page = await send(`/api/v1/prediction/${flow}`, {
    method: 'OPTIONS',
    headers: { origin: 'http://other.example', 'access-control-request-method': 'POST' },
  })
  assert.ok(!('content-encoding' in page.headers))
})

test('an answer with a new key is never compressed, however large it is [answers:compressed]', async () => {
  const pins = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`pin${i}`, 'v'.repeat(200)]))
  const { status, headers, bytes } = await send('/api/v1/apikey', {
    method: 'POST',
    body: { keyName: 'k'.repeat(60), pins },
    ...encodings('br, gzip'),
  })
  const text = bytes.toString()
  assert.equal(status, 200, text)
  assert.ok(text.length > 1024, `${text.length}`)
  assert.equal(headers['content-encoding'], undefined)
  const { id } = JSON.parse(text) as { id: string }
  const rotated = await send(`/api/v1/apikey/${id}/rotate`, { method: 'POST', ...encodings('br') })
  assert.ok(rotated.bytes.length > 1024)
  assert.equal(rotated.headers['content-encoding'], undefined)
})

test('a stream of events comes at once and as it is, also where the client accepts br [answers:compressed]', async () => {
  const answer = await begin('/api/v1/jobs/events', encodings('br, gzip'))
  assert.equal(answer.headers['content-encoding'], undefined)
  const [first] = (await once(answer, 'data')) as [Buffer]
  assert.match(first.toString(), /^retry: /)
  answer.destroy()
})

test('the files of the studio keep the encoding that they were built with [answers:compressed]', async () => {
  const page = await send('/docs/try.js', encodings('gzip'))
  assert.equal(page.headers['content-encoding'], 'gzip')
  assert.match(gunzipSync(page.bytes).toString(), /fetch/)
})

test('GET /nodes answers 304 to a client that has them, in every encoding [nodes:etag]', async () => {
  const first = await send('/api/v1/nodes', encodings('br'))
  const { etag } = first.headers
  assert.match(etag ?? '', /^W\/"[0-9a-f]{32}"$/)
  assert.equal(first.headers['cache-control'], 'private, no-cache')
  for (const named of [etag!, `"other", ${etag}`, etag!.slice(2), '*']) {
    const again = await send('/api/v1/nodes', {
      headers: { 'if-none-match': named, 'accept-encoding': 'gzip' },
    })
    assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag], named)
    assert.equal(again.headers['content-encoding'], undefined)
  }
  for (const named of ['"other"', '', 'W/""'])
    assert.equal((await send('/api/v1/nodes', { headers: { 'if-none-match': named } })).status, 200)
  const stranger = await send('/api/v1/nodes', { headers: { authorization: '', 'if-none-match': etag } })
  assert.equal(stranger.status, 401)
})
