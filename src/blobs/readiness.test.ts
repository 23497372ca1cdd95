import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../kit/config.ts'
import { SluiceError } from '../kit/errors.ts'
import { blobDirectory } from './directory.ts'
import { openBucket } from './open-bucket.ts'
import { blobStore } from './readiness.ts'

test('blobStore() finds a folder without files usable', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-blobs-'))
  t.after(() => rmSync(folder, { recursive: true }))
  assert.equal(await blobStore(blobDirectory(folder)).check(), undefined)
})

test('blobStore() names bucket, host and reason where a bucket refuses, and no key', async (t) => {
  const server = createServer((_request, response) =>
    response.writeHead(403).end('<Error><Code>InvalidAccessKeyId</Code></Error>'),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const config = readConfig({ environment: {}, directory: tmpdir() })
  const { shelf } = openBucket(`s3://the-key:the-secret@127.0.0.1:${port}/files?tls=false`, config)
  t.after(() => shelf.close())
  const found = await blobStore(shelf).check()
  assert.ok(found instanceof SluiceError)
  assert.equal(found.code, 'blob_failed')
  assert.match(found.message, /bucket files at 127\.0\.0\.1:\d+, failed: it does not know the access key$/)
  assert.ok(!found.message.includes('the-'))
})
