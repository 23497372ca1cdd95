import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { makePlatform } from '../support/platform.ts'
import { needs } from '../support/needs.ts'
import { faultyS3, type PassingCall } from '../support/s3-faults.ts'
import { newBucket, objectsOf, s3Call, s3Server } from '../support/s3-server.ts'
import { until, untilEqual } from '../support/until.ts'

await needs('the S3 server of the tests')

const { endpoint, accessKeyId, secretAccessKey } = await s3Server()
let fault: (call: PassingCall) => void = () => {}
const proxy = await faultyS3({ after }, endpoint, (call) => fault(call))

type Ready = { degraded?: string[] }

const bucket = await newBucket()
const directory = () => {
  const made = mkdtempSync(path.join(tmpdir(), 'sluice-api-'))
  after(() => rmSync(made, { recursive: true, force: true }))
  return made
}
const urlOf = (secret: string, name: string) =>
  `s3://${accessKeyId}:${encodeURIComponent(secret)}@${proxy.endpoint.host}/${name}?tls=false`
const settings = { DATA_DIR: directory(), BLOB_URL: urlOf(secretAccessKey, bucket) }
const start = () => makePlatform(settings, { embedded: true })

// A data directory whose files are in a bucket, with a document.
const first = await start()
const flow = await first.flow({ name: 'In a bucket', overridable: ['files'] })
await first.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set: { originals: 'on' } })
assert.equal((await first.upload(flow, { 'a.txt': 'Anna signs the contracts.' })).status, 200)
await first.close()

for (const [what, act] of [
  ['ends every connection', (call: PassingCall) => call.cut()],
  ['answers nothing', (call: PassingCall) => call.hang()],
] as const)
  test(`a server starts degraded while its bucket ${what}, answers queries, and takes files when it is back [server:readiness]`, async () => {
    fault = act
    const platform = await start()
    const ready = async () => {
      const { status, body } = await platform.call<Ready>('GET', '/readyz')
      return [status, body.degraded]
    }
    assert.deepEqual(await ready(), [200, ['blob store']])
    assert.ok(platform.log.some(({ event, facts }) => event === 'degraded' && facts.away === 'blob store'))
    const found = await platform.query(flow, { query: 'who signs?' })
    assert.ok(found.body.docs.some(({ pageContent }) => pageContent.startsWith('Anna')))
    const refused = await platform.upload(flow, { 'b.txt': 'Ben signs.' })
    assert.partialDeepStrictEqual(refused, { status: 503, body: { code: 'blob_failed' } })
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.deepEqual(platform.uploads(), [])
    fault = () => {}
    await untilEqual(ready, [200, undefined])
    assert.equal((await platform.upload(flow, { 'b.txt': 'Ben signs.' })).status, 200)
    const path = `/api/v1/vector/sources/${flow}/original?source=a.txt`
    assert.equal((await platform.manage('GET', path)).text, 'Anna signs the contracts.')
    await platform.close()
  })

test('files that a first start with a bucket did not move are moved when the bucket is back [server:readiness]', async () => {
  const place = directory()
  fault = () => {}
  const local = await makePlatform({ DATA_DIR: place }, { embedded: true })
  const id = await local.flow({ name: 'Before the bucket', overridable: ['files'] })
  await local.manage('PATCH', `/api/v1/chatflows/${id}/settings`, { set: { originals: 'on' } })
  const files = { 'a.txt': 'Anna signs the contracts.', 'b.txt': 'Ben pays the rent.' }
  assert.equal((await local.upload(id, files)).status, 200)
  await local.close()
  const BLOB_URL = urlOf(secretAccessKey, await newBucket())
  // The claim is stored, and no file is.
  fault = (call) => {
    if (call.method === 'PUT' && call.url.includes('/originals/')) call.answer(403, 'AccessDenied')
  }
  await assert.rejects(makePlatform({ DATA_DIR: place, BLOB_URL }, { embedded: true }), {
    code: 'blob_failed',
  })
  fault = (call) => call.cut()
  const platform = await makePlatform({ DATA_DIR: place, BLOB_URL }, { embedded: true })
  const original = (source: string) =>
    platform.manage('GET', `/api/v1/vector/sources/${id}/original?source=${source}`)
  assert.equal((await original('a.txt')).status, 503)
  fault = () => {}
  for (const [source, content] of Object.entries(files))
    await untilEqual(async () => (await original(source)).text, content)
  await until(() => platform.log.some(({ event, facts }) => event === 'files-moved' && facts.files === 2))
  assert.deepEqual(readdirSync(path.join(place, 'originals'), { recursive: true }), [])
  await platform.close()
})

test('a bucket that comes back with the files of another database is not touched [server:readiness]', async () => {
  fault = (call) => call.cut()
  const platform = await start()
  const mark = `/${bucket}/sluice-files.json`
  await s3Call('PUT', mark, JSON.stringify({ id: 'another' }))
  const before = await objectsOf(bucket)
  fault = () => {}
  const refused = await platform.upload(flow, { 'b.txt': 'Ben signs.' })
  assert.deepEqual([refused.status, (refused.body as { code?: string }).code], [500, 'blob_place_wrong'])
  const { body } = await platform.call<Ready>('GET', '/readyz')
  assert.deepEqual(body.degraded, ['blob store'])
  assert.deepEqual(await objectsOf(bucket), before)
  await platform.close()
})

test('the first start with a bucket that is away fails: its name or its keys may be wrong', async () => {
  fault = (call) => call.answer(403, 'AccessDenied')
  const other = { DATA_DIR: directory(), BLOB_URL: urlOf('x', await newBucket()) }
  await assert.rejects(makePlatform(other, { embedded: true }), { code: 'blob_failed' })
  fault = () => {}
})
