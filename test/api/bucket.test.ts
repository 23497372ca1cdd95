import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import { ADMIN_KEY, form, makePlatform } from '../support/platform.ts'
import { faultyS3, type PassingCall } from '../support/s3-faults.ts'
import { newBucket, objectsOf, s3Server } from '../support/s3-server.ts'
import { until } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('the S3 server of the tests')

const { endpoint, accessKeyId, secretAccessKey } = await s3Server()
const bucket = await newBucket()
/** What goes wrong in the test that runs. */
let fault: (call: PassingCall) => void = () => {}
const proxy = await faultyS3({ after }, endpoint, (call) => fault(call))
const { host } = proxy.endpoint
const platform = await makePlatform({
  BLOB_URL: `s3://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@${host}/${bucket}?tls=false`,
})
const flow = await platform.flow({
  name: 'In a bucket',
  overridable: ['files'],
  recordManager: { cleanup: 'incremental' },
})
const kept = await platform.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, {
  set: { originals: 'on' },
})
assert.equal(kept.status, 200)

const original = (source: string) =>
  fetch(`${platform.url}/api/v1/vector/sources/${flow}/original?source=${encodeURIComponent(source)}`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  })
const spooled = () => {
  const spool = path.join(platform.dataDirectory, 'uploads')
  return existsSync(spool) ? readdirSync(spool) : []
}
const isUpload = ({ method, url }: PassingCall) => method === 'PUT' && url.includes('/uploads/')

test('an upsert is refused with a clear error while the bucket refuses its files, and leaves nothing anywhere [blobs:upsert]', async () => {
  fault = (call) => {
    if (isUpload(call)) call.answer(403, 'AccessDenied')
  }
  const jobs = async () => (await platform.manage<{ total: number }>('GET', '/api/v1/jobs')).body.total
  const before = await jobs()
  const { status, body } = await platform.upload(flow, { 'a.txt': 'Words.', 'b.txt': 'More words.' })
  assert.equal(status, 503)
  assert.partialDeepStrictEqual(body, {
    code: 'blob_failed',
    message: `The storage of files, bucket ${bucket} at ${host}, failed: the keys may not do this; they need to get, put, list and delete objects of the bucket`,
  })
  assert.equal(await jobs(), before)
  assert.deepEqual([spooled(), await objectsOf(bucket, 'uploads/')], [[], []])
})

test('an upsert is not disturbed by a bucket that is busy for a while, and its files come back as they were [blobs:upsert]', async () => {
  fault = (call) => {
    if (call.before === 0) call.answer(503, 'SlowDown', { 'retry-after': '0' })
  }
  const names = ["dir/ü'1 漢字.txt", 'a b+c%20.txt', '-x.txt']
  const { status, body } = await platform.upload(
    flow,
    Object.fromEntries(names.map((name) => [name, `Words of ${name}.`])),
  )
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, { numAdded: 3 })
  for (const name of names) assert.equal(await (await original(name)).text(), `Words of ${name}.`)
  fault = () => {}
  await until(async () => (await objectsOf(bucket, 'uploads/')).length === 0)
  assert.deepEqual(spooled(), [])
})

test('an upsert is done also where its uploads cannot be removed from the bucket; that is logged', async () => {
  fault = (call) => {
    if (call.method === 'DELETE') call.answer(403, 'AccessDenied')
  }
  const { status } = await platform.upload(flow, { 'left.txt': 'Words that are left.' })
  assert.equal(status, 200)
  await until(() => platform.log.some(({ event }) => event === 'uploads-not-discarded'))
  fault = () => {}
  assert.equal((await objectsOf(bucket, 'uploads/')).length, 1)
})

test('the file of a document comes whole through a connection that is cut, and fails clearly where the bucket is away', async () => {
  const content = 'Words of a long file. '.repeat(20_000)
  fault = () => {}
  assert.equal((await platform.upload(flow, { 'long.txt': content })).status, 200)
  let cuts = 0
  fault = (call) => {
    if (call.method === 'GET' && call.url.includes('/originals/') && cuts++ < 2) call.passThenCut(100_000)
  }
  assert.equal(await (await original('long.txt')).text(), content)
  assert.equal(cuts, 3)
  fault = (call) => call.answer(403, 'AccessDenied')
  const answer = await original('long.txt')
  assert.equal(answer.status, 503)
  assert.equal(((await answer.json()) as { code: string }).code, 'blob_failed')
  fault = () => {}
})

test('the list of a dry run is in the bucket, and pages of it are read from there [jobs:dry-run]', async () => {
  fault = () => {}
  const text = Array.from({ length: 300 }, (_, i) => `Line ${i} of a list.`).join('\n\n')
  const started = await platform.manage<{ jobId: string }>(
    'POST',
    `/api/v1/vector/dry-run/${flow}`,
    form({ 'list.txt': text }),
  )
  const { jobId } = started.body
  await platform.call('GET', `/api/v1/jobs/${jobId}/events`)
  const { body: job } = await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${jobId}`)
  assert.equal(job.state, 'done')
  assert.deepEqual(await objectsOf(bucket, 'dry-runs/'), [
    `dry-runs/${jobId}/index.json`,
    `dry-runs/${jobId}/rows`,
  ])
  type Page = { data: { text: string; fate: string }[]; total: number }
  const { body } = await platform.manage<Page>('GET', `/api/v1/jobs/${jobId}/chunks?limit=2`)
  assert.ok(body.data[0]!.text.startsWith('Line 0 of a list.'))
  assert.deepEqual([body.data.length, body.data[1]!.fate], [2, 'added'])
  assert.ok(body.total > 2)
  assert.equal(existsSync(path.join(platform.dataDirectory, 'dry-runs')), false)
})
