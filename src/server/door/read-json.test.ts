import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { MEGABYTE, readJson } from './read-json.ts'

/** The body of a request, in pieces; `declared` is its Content-Length. */
function read(
  pieces: (string | Buffer)[],
  { limit = MEGABYTE, declared }: { limit?: number; declared?: string } = {},
) {
  const continued: unknown[] = []
  const headers = declared === undefined ? {} : { 'content-length': declared }
  const request = Object.assign(new PassThrough(), { headers }) as unknown as IncomingMessage & PassThrough
  const body = readJson(request, limit, (one) => continued.push(one))
  for (const piece of pieces) request.write(piece)
  request.end()
  return { body, continued, request }
}

test('readJson() reads a body, also where a character is in two pieces', async () => {
  const bytes = Buffer.from('{"a": "é€😀"}')
  const pieces = [...bytes].map((byte) => Buffer.of(byte))
  const { body, continued, request } = read(pieces, { declared: String(bytes.length) })
  assert.deepEqual(await body, { a: 'é€😀' })
  assert.deepEqual(continued, [request])
})

test('readJson() takes an empty body for {}', async () => {
  for (const pieces of [[], [''], [' \n']]) assert.deepEqual(await read(pieces).body, {})
})

test('readJson() takes so many bytes, and refuses one more as soon as it is known', async () => {
  const text = JSON.stringify('x'.repeat(98))
  assert.equal(((await read([text], { limit: 100, declared: '100' }).body) as string).length, 98)
  assert.ok(await read([text], { limit: 100 }).body)
  const refusal = { code: 'body_too_large', status: 413, facts: { limit: '2 MB' } }
  const declared = read([text], { limit: 2 * MEGABYTE, declared: String(2 * MEGABYTE + 1) })
  await assert.rejects(declared.body, refusal)
  assert.deepEqual(declared.continued, [], 'the client need not send it')
  await assert.rejects(read([text, ' '], { limit: 100 }).body, { code: 'body_too_large' })
})

test('readJson() refuses a body whose length differs from Content-Length', async () => {
  for (const declared of ['2', '4'])
    await assert.rejects(read(['[1]'], { declared }).body, {
      code: 'body_invalid',
      message: /its length differs from Content-Length/,
    })
})

test('readJson() refuses what is no JSON', async () => {
  for (const text of ['{', 'a', '{"a": 1}}', '\u0000'])
    await assert.rejects(read([text]).body, { code: 'body_invalid', message: /it is not JSON/ })
})

test('readJson() refuses a body that is too deep while it arrives', async () => {
  const { body, request } = read([])
  const deep = read(['['.repeat(5000)])
  await assert.rejects(deep.body, { code: 'body_invalid' })
  assert.deepEqual(await body, {})
  assert.equal(request.listenerCount('data'), 0)
})

test('readJson() fails where the connection breaks, and leaves no listener that would end the process', async () => {
  const request = Object.assign(new PassThrough(), { headers: {} })
  const body = readJson(request as unknown as IncomingMessage, MEGABYTE, () => {})
  request.write('{"a"')
  request.destroy(new Error('reset'))
  await assert.rejects(body, { code: 'body_invalid', message: /it cannot be read/ })
  assert.equal(request.listenerCount('data'), 0)
  assert.equal(request.emit('error', new Error('again')), true)
})
