import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { readConfig } from '../kit/config.ts'
import { SluiceError } from '../kit/errors.ts'
import { openBucket } from './open-bucket.ts'
import { blobStore, uploadCheck } from './readiness.ts'

test('blobStore() names bucket, host and reason where a bucket refuses, and no key', async (t) => {
  const server = createServer((_request, response) =>
    response.writeHead(403).end('<Error><Code>InvalidAccessKeyId</Code></Error>'),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const config = readConfig({ environment: {}, directory: tmpdir() })
  const { shelf, check } = openBucket(`s3://the-key:the-secret@127.0.0.1:${port}/files?tls=false`, config)
  t.after(() => shelf.close())
  const found = await blobStore(check).check()
  assert.ok(found instanceof SluiceError)
  assert.equal(found.code, 'blob_failed')
  assert.match(found.message, /bucket files at 127\.0\.0\.1:\d+, failed: it does not know the access key$/)
  assert.ok(!found.message.includes('the-'))
})

test('uploadCheck() asks once for calls at the same time, remembers a good answer for two seconds, and no failure', async () => {
  let asked = 0
  let now = 0
  let failure: Error | undefined
  const check = uploadCheck(
    async () => {
      asked++
      if (failure) throw failure
    },
    () => now,
  )
  await Promise.all([check(), check()])
  await check()
  assert.equal(asked, 1)
  now = 2000
  failure = new SluiceError('not_ready')
  for (const expected of [2, 3]) {
    await assert.rejects(check(), failure)
    assert.equal(asked, expected)
  }
  failure = undefined
  await check()
  assert.equal(asked, 4)
})
