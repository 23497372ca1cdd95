import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import { heldFlow } from '../support/held-flow.ts'
import { needs } from '../support/needs.ts'
import { form, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { faultyS3, type PassingCall } from '../support/s3-faults.ts'
import { newBucket, s3Server } from '../support/s3-server.ts'
import { until, untilEqual } from '../support/until.ts'

await needs('the S3 server of the tests')

const { endpoint, accessKeyId, secretAccessKey } = await s3Server()
let fault: (call: PassingCall) => void = () => {}
const proxy = await faultyS3({ after }, endpoint, (call) => fault(call))
const bucket = await newBucket()
const provider = await startProviderServer()
after(() => provider.close())
const platform = await makePlatform({
  BLOB_URL: `s3://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@${proxy.endpoint.host}/${bucket}?tls=false`,
})

const jobOf = async (id: string) => (await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${id}`)).body
const act = (id: string, what: 'retry' | 'cancel') => platform.manage('POST', `/api/v1/jobs/${id}/${what}`)

/** A cancelled job: its file is in the bucket, and on no server. */
async function cancelledJob(name: string): Promise<string> {
  provider.hold(0)
  const flow = await heldFlow(platform.manage, provider, name)
  const path = `/api/v1/vector/upsert/${flow}?async=true`
  const { body } = await platform.manage<{ jobId: string }>('POST', path, form({ 'a.txt': `Of ${name}.` }))
  await untilEqual(async () => (await jobOf(body.jobId)).stage, 'embed')
  assert.equal((await act(body.jobId, 'cancel')).status, 200)
  provider.release()
  return body.jobId
}

for (const [what, act_] of [
  ['ends every connection', (call: PassingCall) => call.cut()],
  ['answers nothing', (call: PassingCall) => call.hang()],
] as const)
  test(`while the bucket ${what}, jobs with files in it wait, all others go on, and it is told once [upsert:job:away]`, async () => {
    const [stays, ends] = [
      await cancelledJob(`stays ${what.length}`),
      await cancelledJob(`ends ${what.length}`),
    ]
    const other = await platform.flow({ name: `Other ${what.length}` })
    const linesBefore = platform.log.length
    fault = act_
    for (const id of [stays, ends]) assert.equal((await act(id, 'retry')).status, 200)
    const seen = async (id: string) => {
      const { state, waitsFor } = await jobOf(id)
      return [state, waitsFor]
    }
    // Behind the proxy either of two servers may answer.
    for (const id of [stays, ends])
      await until(async () => String(await seen(id)) === 'queued,upload store', `${id} waits`)
    assert.equal((await platform.manage('POST', `/api/v1/vector/reindex/${other}`, {})).status, 200)
    const cancelled = await act(ends, 'cancel')
    assert.equal(cancelled.status, 200, cancelled.text)
    // The other server may still be finding out.
    await untilEqual(async () => (await jobOf(stays)).state, 'queued')
    const told = platform.log.slice(linesBefore).filter(({ event }) => event === 'uploads-away')
    assert.ok(told.length >= 1 && told.length <= 2, `once on each server: ${told.length}`)
    fault = () => {}
    await untilEqual(async () => (await jobOf(stays)).state, 'done')
    assert.equal((await jobOf(ends)).state, 'cancelled')
  })
