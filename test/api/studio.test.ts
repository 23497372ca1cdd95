import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
const { headers, text: page, status } = await platform.call('GET', '/')
assert.equal(status, 200)
const scripts = [...page.matchAll(/src="(\/assets\/[^"]+)"/g)].map(([, file]) => file!)
assert.ok(scripts.length > 0, 'the studio is not built: npm run build:studio')

test('the studio may load and call nothing but this server, and runs no text as script', () => {
  const policy = headers.get('content-security-policy')!
  assert.doesNotMatch(policy, /unsafe|http|\*|data:/)
  for (const part of [
    "default-src 'none'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "worker-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types sluice-pdf-worker',
  ])
    assert.ok(policy.split('; ').includes(part), part)
  assert.doesNotMatch(page, /<style|<script(?![^>]*src=)| style=| on\w+=|https?:/)
})

test('the page of the studio is asked for every time, and not sent again where it is the same', async () => {
  assert.equal(headers.get('cache-control'), 'no-cache')
  const again = await fetch(`${platform.url}/flows`, { headers: { 'if-none-match': headers.get('etag')! } })
  assert.equal(again.status, 304)
})

test('addresses of screens are answered with the page, other addresses with 404, in a browser as a page [studio:not-found]', async () => {
  for (const path of [
    '/flows',
    '/flows/any-flow',
    '/flows/any-flow?a=b',
    '/flows/any-flow/documents/a%2Fb.txt',
    '/keys',
  ]) {
    const { status, text } = await platform.call('GET', path)
    assert.deepEqual([status, text], [200, page])
  }
  const mistyped = await fetch(`${platform.url}/flow/<b>`, { headers: { accept: 'text/html,*/*' } })
  assert.equal(mistyped.status, 404)
  assert.match(mistyped.headers.get('content-type')!, /^text\/html/)
  const shown = await mistyped.text()
  assert.match(shown, /<h1>There is nothing at this address<\/h1>/)
  assert.doesNotMatch(shown, /<b>/)
  const called = await platform.call('GET', '/api/v1/flow', { headers: { accept: 'text/html' } })
  assert.match(called.headers.get('content-type')!, /^application\/json/)
  for (const path of ['/flow', '/api/v1/flow', '/flows/a/b', '/assets', '/assets/../index.html'])
    assert.equal((await platform.call('GET', path)).status, 404, path)
})

test('files of the studio are kept for ever, and sent compressed to clients that take it', async () => {
  for (const encoding of ['br', 'gzip', 'identity']) {
    const answer = await fetch(platform.url + scripts[0]!, { headers: { 'accept-encoding': encoding } })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-encoding'), encoding === 'identity' ? null : encoding)
    assert.match(answer.headers.get('cache-control')!, /immutable/)
    assert.equal(answer.headers.get('vary'), 'accept-encoding')
    assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'")
    assert.match(answer.headers.get('content-type')!, /^text\/javascript/)
    // The client has unpacked it.
    assert.match(await answer.text(), /import|function/)
  }
})

test('a file of the studio that is not there is refused with its name', async () => {
  const { status, body } = await platform.call<{ code: string; message: string }>('GET', '/assets/old-123.js')
  assert.deepEqual([status, body.code], [404, 'asset_not_found'])
  assert.match(body.message, /old-123\.js/)
})
