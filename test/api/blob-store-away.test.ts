import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { form, makePlatform } from '../support/platform.ts'
import { faultyS3, type PassingCall } from '../support/s3-faults.ts'
import { newBucket, s3Server } from '../support/s3-server.ts'
import { untilEqual } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('the S3 server of the tests')

const { endpoint, accessKeyId, secretAccessKey } = await s3Server()
/** What goes wrong with every call. */
let fault: (call: PassingCall) => void = () => {}
const proxy = await faultyS3({ after }, endpoint, (call) => fault(call))
const { host } = proxy.endpoint
const platform = await makePlatform({
  BLOB_URL: `s3://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@${host}/${await newBucket()}?tls=false`,
})
const flow = await platform.flow({ name: 'In a bucket', overridable: ['files'] })
assert.equal((await platform.upload(flow, { 'a.txt': 'Anna signs the contracts.' })).status, 200)

type Ready = { status?: string; degraded?: string[]; dependencies: { name: string; state: string }[] }
const ready = async () => {
  const { status, body } = await platform.call<Ready>('GET', '/readyz')
  return { status, degraded: body.degraded, away: body.dependencies.filter(({ state }) => state === 'away') }
}
const failed = async () => (await platform.manage<{ total: number }>('GET', '/api/v1/jobs')).body.total

for (const [what, act, reason] of [
  ['ends every connection', (call: PassingCall) => call.cut(), /failed: the connection was cut/],
  ['answers nothing', (call: PassingCall) => call.hang(), /failed: it did not answer in 1\.2 seconds/],
  ['refuses the keys', (call: PassingCall) => call.answer(403, 'AccessDenied'), /the keys may not do this/],
] as const) {
  test(`while the bucket ${what}, the server is ready and degraded, and answers queries [server:readiness]`, async () => {
    fault = act
    const { status, degraded, away } = await ready()
    assert.deepEqual([status, degraded, away.map(({ name }) => name)], [200, ['blob store'], ['blob store']])
    assert.partialDeepStrictEqual(away[0], { name: 'blob store', state: 'away' })
    assert.ok(platform.log.some(({ event, facts }) => event === 'degraded' && facts.away === 'blob store'))
    const found = await platform.query(flow, { query: 'who signs?' })
    assert.deepEqual([found.status, found.body.docs.length > 0], [200, true])
    fault = () => {}
    await untilEqual(async () => (await ready()).degraded, undefined)
  })

  test(`while the bucket ${what}, requests with files are refused before the files are sent there, with the reason and Retry-After [server:readiness]`, async () => {
    // A good answer counts for a moment.
    fault = act
    const jobs = await failed()
    for (const path of [`/api/v1/vector/upsert/${flow}`, `/api/v1/vector/dry-run/${flow}`]) {
      await untilEqual(async () => (await ready()).degraded, ['blob store'])
      const { status, headers, body } = await refusedBySoon(path)
      assert.equal(status, 503)
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      const { code, message } = body as { code: string; message: string }
      assert.equal(code, 'blob_failed')
      assert.match(message, reason)
    }
    assert.equal(await failed(), jobs)
    assert.deepEqual(platform.uploads(), [])
    fault = () => {}
    await untilEqual(async () => (await platform.upload(flow, { 'a.txt': 'Anna signs.' })).status, 200)
  })
}

/** Sends a file until no good answer of before counts any more: then not a single file was sent. */
async function refusedBySoon(path: string) {
  for (;;) {
    const sent = proxy.seen.length
    const answer = await platform.manage('POST', path, form({ 'b.txt': 'Words.' }))
    if (!proxy.seen.slice(sent).some(({ method }) => method === 'PUT')) return answer
  }
}
