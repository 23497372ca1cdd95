import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../src/kit/config.ts'
import { quietLog } from '../../src/kit/log.ts'
import { startPlatform } from '../../src/main.ts'
import { makePlatform } from '../support/platform.ts'
import { openSocket, post } from '../support/raw-http.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'sluice-start-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
const start = (settings: Record<string, string>) =>
  startPlatform(
    readConfig({ flags: { PORT: '0', ...settings }, environment: {}, directory: scratch }),
    quietLog,
  )

const long = Array.from({ length: 3000 }, (_, i) => `Line ${i} tells of otter number ${i * 7}.`).join('\n')

test('an upsert under way is finished and answered when the platform is closed', async () => {
  const platform = await makePlatform({}, { embedded: true })
  const flow = await platform.flow({ splitter: { chunkSize: 40, chunkOverlap: 0 } })
  const upload = platform.upload(flow, { 'long.txt': long })
  await until(() => platform.uploads().length > 0)
  const closing = platform.close()
  const { status, body } = await upload
  assert.equal(status, 200)
  assert.equal(body.numAdded, 3000)
  await closing
  await assert.rejects(platform.call('GET', '/api/v1/ping'))
  assert.deepEqual(platform.uploads(), [])
  const again = await start({ DATA_DIR: platform.dataDirectory })
  const answer = await fetch(`${again.url}/api/v1/vector/query/${flow}?q=otter&topK=1000`)
  const { docs } = (await answer.json()) as { docs: object[] }
  await again.close()
  assert.equal(docs.length, 1000)
})

test('while the platform closes, an answer ends its connection, and a request that arrives gets the reason', async () => {
  const platform = await makePlatform({}, { embedded: true })
  const [busy, late] = [await openSocket(platform.url), await openSocket(platform.url)]
  const body = `--abc\r\nContent-Disposition: form-data; name="files"; filename="long.txt"\r\n\r\n${long}\r\n--abc--\r\n`
  const type = { 'Content-Type': 'multipart/form-data; boundary=abc', Connection: 'keep-alive' }
  busy.write(post('/api/v1/vector/upsert/quickstart', type, body))
  late.write('GET /api/v1/version HTTP/1.1\r\n')
  await until(() => platform.uploads().length > 0)
  const closing = platform.close()
  // Not read any more: the answer before says so, and a client sends it again elsewhere.
  busy.write('GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n')
  late.write('Host: localhost\r\n\r\n')
  const [answer, refusal] = await Promise.all(
    [busy, late].map(async (socket) => String(Buffer.concat(await socket.toArray()))),
  )
  await closing
  assert.deepEqual(answer!.match(/^HTTP\/1\.1 \d+/gm), ['HTTP/1.1 200'])
  assert.match(answer!, /^connection: close\r$/im)
  assert.match(refusal!, /^HTTP\/1\.1 503 /)
  assert.match(refusal!, /"code":"stopping"/)
})

test('close is done once, and nothing of the process holds on to it', async () => {
  const platform = await makePlatform({}, { embedded: true })
  await platform.call('GET', '/api/v1/ping')
  await platform.close()
  await platform.close()
})

test('the data directory is for its owner alone', async () => {
  const directory = path.join(scratch, 'deep/down/data')
  const service = await start({ DATA_DIR: directory })
  await service.close()
  assert.equal(statSync(directory).mode & 0o777, 0o700)
})

test('uploads that a dead process left are gone after the next start', async () => {
  const directory = path.join(scratch, 'left')
  mkdirSync(path.join(directory, 'uploads/of-a-dead-run'), { recursive: true })
  writeFileSync(path.join(directory, 'uploads/of-a-dead-run/0'), 'words')
  const service = await start({ DATA_DIR: directory })
  await service.close()
  assert.ok(!existsSync(path.join(directory, 'uploads/of-a-dead-run')))
})

test('a port that is taken fails the start by name, and nothing stays open', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const directory = path.join(scratch, 'taken')
  await assert.rejects(start({ DATA_DIR: directory, PORT: String(port) }), {
    name: 'SluiceError',
    code: 'port_taken',
    message: new RegExp(`port ${port} on 127\\.0\\.0\\.1 is taken`),
  })
  other.close()
  const service = await start({ DATA_DIR: directory, PORT: String(port) })
  await service.close()
})

test('an address that is not of this machine fails the start by name', async () => {
  await assert.rejects(start({ DATA_DIR: path.join(scratch, 'address'), HOST: '192.0.2.1' }), {
    name: 'SluiceError',
    code: 'address_unusable',
  })
})

test('a data directory that cannot be made fails the start by name', async () => {
  writeFileSync(path.join(scratch, 'file'), '')
  await assert.rejects(start({ DATA_DIR: path.join(scratch, 'file/below') }), {
    name: 'SluiceError',
    code: 'data_dir_unusable',
    message: /file\/below/,
  })
})

test('a database that is none fails the start by name', async () => {
  const directory = path.join(scratch, 'no-database')
  mkdirSync(directory)
  writeFileSync(
    path.join(directory, 'sluice.db'),
    'this is no database, however long one looks at it '.repeat(100),
  )
  await assert.rejects(start({ DATA_DIR: directory }), { name: 'SluiceError', code: 'database_unusable' })
})

async function until(condition: () => boolean) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1))
}
