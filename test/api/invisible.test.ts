import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import type { StatsAnswer } from '../../src/api/stats.ts'
import { heldFlow, longText } from '../support/held-flow.ts'
import { form, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until, untilEqual } from '../support/until.ts'

const [platform, provider] = await Promise.all([makePlatform(), startProviderServer()])
after(() => provider.close())
const flow = await heldFlow(platform.manage, provider, 'Left')

/** Of an upsert that is held: more than are embedded by then. */
const CHUNKS = 4000

const invisible = async (of = flow) =>
  (await platform.manage<StatsAnswer>('GET', of === '' ? '/api/v1/stats' : `/api/v1/stats/${of}`)).body
    .invisible
const jobOf = async (id: string) => (await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${id}`)).body
const rows = async (table: string) =>
  Number((await platform.sql<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]!.n)

/** Begins a long upsert that is held after some calls of the provider; resolves when chunks are staged. */
async function heldUpsert(name: string): Promise<string> {
  provider.hold(20)
  const { body } = await platform.call<{ jobId: string }>(
    'POST',
    `/api/v1/vector/upsert/${flow}?async=true`,
    {
      body: form({ [name]: longText(name, CHUNKS) }),
    },
  )
  await until(async () => (await jobOf(body.jobId)).chunks.written > 0, 'staged chunks')
  return body.jobId
}

test('a cancelled upsert leaves no chunks in the end, and stats count them until then [jobs:swept] [jobs:invisible]', async () => {
  await platform.upload(flow, { 'kept.txt': 'Otters hold hands.' })
  assert.deepEqual(await invisible(), { unswept: 0, restorable: 0, bytes: 0 })
  const id = await heldUpsert('otters')
  await platform.manage('POST', `/api/v1/jobs/${id}/cancel`)
  provider.release()
  const left = await invisible()
  assert.ok(left.unswept > 0, JSON.stringify(left))
  assert.ok(left.bytes > left.unswept * 100, JSON.stringify(left))
  assert.deepEqual(await invisible(''), left)
  assert.equal((await invisible('quickstart')).unswept, 0)
  await untilEqual(async () => (await invisible()).unswept, 0)
  assert.equal(await rows('chunks'), 1)
  assert.equal(await rows('passages'), 1)
  const { body } = await platform.query(flow, { query: 'otters', topK: 5 })
  assert.deepEqual(
    body.docs.map(({ pageContent }) => pageContent),
    ['Otters hold hands.'],
  )
})

test('a retry shortly after a failure embeds no text twice [jobs:swept]', async () => {
  const id = await heldUpsert('badgers')
  // The calls that are held are answered; the one after them fails, and so does the job.
  provider.script({ status: 401, body: '{}' })
  provider.release()
  await until(async () => (await jobOf(id)).state === 'failed', 'the failure')
  assert.ok((await invisible()).unswept > 0)
  const before = provider.calls.length
  await platform.manage('POST', `/api/v1/jobs/${id}/retry`)
  await until(async () => (await jobOf(id)).state === 'done', 'the end of the retry')
  const embedded = provider.calls.slice(before).flatMap(({ texts }) => texts)
  const earlier = new Set(provider.calls.slice(0, before).flatMap(({ texts }) => texts))
  assert.ok(embedded.length < CHUNKS, `${embedded.length}`)
  assert.ok(embedded.filter((text) => earlier.has(text)).length < 1000)
  await untilEqual(async () => (await invisible()).unswept, 0)
  assert.equal(await rows('chunks'), CHUNKS + 1)
})

test('a flow that is removed for good is gone at once, its chunks soon [flows:removed-for-good]', async () => {
  const { body } = await platform.manage<{ id: string }>('GET', `/api/v1/chatflows/${flow}`)
  const removed = await platform.manage('DELETE', `/api/v1/chatflows/${body.id}?now=true`)
  assert.equal(removed.status, 200)
  const again = await platform.manage('POST', `/api/v1/chatflows/${body.id}/restore`, {})
  assert.equal(again.status, 404)
  await untilEqual(async () => (await invisible('')).unswept, 0)
  await untilEqual(() => rows('passages'), 0)
  assert.equal(await rows('chunks'), 0)
})

test('what was removed and can be restored is counted apart [jobs:invisible]', async () => {
  const other = await platform.flow({ name: 'Other', recordManager: {} })
  await platform.upload(other, { 'a.txt': 'Otters.', 'b.txt': 'Badgers.' })
  await platform.manage('DELETE', `/api/v1/vector/upsert/${other}?source=a.txt`)
  assert.partialDeepStrictEqual(await invisible(other), { unswept: 0, restorable: 1 })
  await platform.manage('DELETE', `/api/v1/chatflows/${other}`)
  assert.partialDeepStrictEqual(await invisible(''), { unswept: 0, restorable: 2 })
})
