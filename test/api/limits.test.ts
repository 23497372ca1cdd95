import assert from 'node:assert/strict'
import { test } from 'node:test'
import { form, makePlatform, testScenarios } from '../support/platform.ts'
import { sendRaw } from '../support/raw-http.ts'

const platform = await makePlatform({ MAX_FILES: '3', MAX_UPLOAD_MB: '1' }, { servers: 1 })
const upsert = '/api/v1/vector/upsert/quickstart'
const some = (count: number) =>
  form(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.txt`, `Words of file ${i}.`])))

testScenarios(platform, [
  { name: 'as many files as MAX_FILES are taken', method: 'POST', path: upsert, body: some(3), status: 200 },
  {
    name: 'one file more than MAX_FILES is too many [upsert:errors]',
    method: 'POST',
    path: upsert,
    body: some(4),
    status: 413,
    expect: { code: 'too_many_files' },
    contains: ['3 files'],
  },
  {
    name: 'an upload larger than MAX_UPLOAD_MB is too large [upsert:errors]',
    method: 'POST',
    path: upsert,
    body: form({ 'big.txt': new Uint8Array(2 ** 20 + 1) }),
    status: 413,
    expect: { code: 'upload_too_large' },
    contains: ['1 MB'],
  },
])

const head = (length: string) =>
  `POST ${upsert} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${length}\r\nContent-Type: multipart/form-data; boundary=abc\r\n\r\n`

test('a declared length over the limit is refused before anything arrives [upsert:errors]', async () => {
  const { status, body } = await sendRaw(platform.url, head(`Content-Length: ${2 ** 40}`))
  assert.equal(status, 413)
  assert.partialDeepStrictEqual(body, { code: 'upload_too_large' })
})

test('an undeclared length over the limit is refused while it arrives [upsert:errors]', async () => {
  const part = '--abc\r\nContent-Disposition: form-data; name="files"; filename="big.txt"\r\n\r\n'
  const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const { status, body } = await sendRaw(
    platform.url,
    head('Transfer-Encoding: chunked'),
    `${part.length.toString(16)}\r\n${part}\r\n`,
    ...Array.from({ length: 20 }, () => piece),
  )
  assert.equal(status, 413)
  assert.partialDeepStrictEqual(body, { code: 'upload_too_large' })
})

test('refused uploads leave nothing behind', () => {
  assert.deepEqual(platform.uploads(), [])
})
