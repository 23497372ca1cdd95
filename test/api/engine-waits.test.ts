import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import type { EngineProtocol } from '../support/engines/scripted-engine.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { form, makePlatform } from '../support/platform.ts'
import { until, untilEqual } from '../support/until.ts'

const products = searchProtocol('opensearch')
/** The status of the answers to writes, and to all calls, where they are refused. */
let refuses: { writes?: number; all?: number } = {}
const protocol: EngineProtocol = {
  ...products,
  answer(request, half) {
    const status = refuses.all ?? (request.path.endsWith('_bulk') ? refuses.writes : undefined)
    return status ? { status, body: products.refusal(status) } : products.answer(request, half)
  },
}
const engine = await startScriptedEngine(protocol)
after(() => engine.close())
afterEach(() => {
  refuses = {}
})
const platform = await makePlatform({ ENGINE_TIMEOUT: '3' })
const { body: credential } = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
  name: 'for the tests',
  credentialName: 'openSearchUrl',
  plainDataObj: { openSearchUrl: engine.url, user: 'admin', password: 'a-password' },
})

const newFlow = (name: string) =>
  platform.flow({
    name,
    storeNode: 'openSearch',
    store: { indexName: name.toLowerCase().replaceAll(' ', '-'), credential: credential.id },
  })

type Refused = { statusCode: number; code: string; message: string; jobId?: string }

const upsert = (flow: string, files: Record<string, string>, query = '') =>
  platform.manage<Refused & { jobId: string }>('POST', `/api/v1/vector/upsert/${flow}${query}`, form(files))
const jobOf = async (id: string) => (await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${id}`)).body
const found = async (flow: string, query: string) => {
  const { status, body } = await platform.query(flow, { query })
  return status === 200 ? body.docs.map(({ pageContent }: { pageContent: string }) => pageContent) : status
}

test('a blocking upsert that the engine does not take answers 503 with its job, which waits, says so and goes on [engines:waits]', async () => {
  const flow = await newFlow('Refused writes')
  assert.equal((await upsert(flow, { 'heron.txt': 'The heron stands.' })).status, 200)
  refuses = { writes: 429 }
  const { status, body, headers } = await upsert(flow, { 'otter.txt': 'The otter sleeps.' })
  assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'engine_waits', '3'])
  assert.match(body.message, /waits for OpenSearch.*: 429; the work goes on as the job /)
  const first = body.jobId
  const { state, waiting } = await jobOf(first)
  assert.deepEqual([state, waiting?.server, waiting?.reason], ['running', 'OpenSearch', '429'])
  assert.ok(Date.parse(waiting!.since) <= Date.now())

  // What needs the same namespace does not wait for ever either; questions go on.
  const second = await upsert(flow, { 'crab.txt': 'The crab walks.' })
  assert.deepEqual([second.status, second.body.code], [503, 'engine_waits'])
  const removal = await platform.manage<Refused>('DELETE', `/api/v1/vector/upsert/${flow}?source=heron.txt`)
  assert.deepEqual([removal.status, removal.body.code], [503, 'engine_waits'])
  assert.deepEqual(await found(flow, 'heron'), ['The heron stands.'])

  refuses = {}
  for (const id of [first, second.body.jobId]) await untilEqual(async () => (await jobOf(id)).state, 'done')
  assert.equal((await jobOf(first)).waiting, undefined)
  assert.deepEqual(((await found(flow, 'otter')) as string[]).sort(), [
    'The crab walks.',
    'The heron stands.',
    'The otter sleeps.',
  ])
})

test('a job that waits for the engine can be cancelled, and leaves nothing behind [engines:waits]', async () => {
  const flow = await newFlow('Cancelled')
  assert.equal((await upsert(flow, { 'heron.txt': 'The heron stands.' })).status, 200)
  refuses = { writes: 503 }
  const { body } = await upsert(flow, { 'otter.txt': 'The otter sleeps.' }, '?async=true')
  await until(async () => (await jobOf(body.jobId)).waiting?.reason === '503', 'the job waits')
  const { status } = await platform.manage('POST', `/api/v1/jobs/${body.jobId}/cancel`)
  assert.equal(status, 200)
  assert.equal((await jobOf(body.jobId)).state, 'cancelled')
  refuses = {}
  assert.deepEqual(await found(flow, 'otter'), ['The heron stands.'])
  assert.equal((await upsert(flow, { 'otter.txt': 'The otter sleeps.' })).status, 200)
  assert.equal(((await found(flow, 'otter')) as string[]).length, 2)
})

test('while the engine refuses every call, each request has an answer, and after that all is there [engines:waits]', async () => {
  const flow = await newFlow('Away')
  assert.equal(
    (await upsert(flow, { 'heron.txt': 'The heron stands.', 'gull.txt': 'The gull flies.' })).status,
    200,
  )
  refuses = { all: 503 }
  assert.equal(await found(flow, 'heron'), 502)
  const { status, body } = await upsert(flow, { 'otter.txt': 'The otter sleeps.' })
  assert.deepEqual([status, body.code], [503, 'engine_waits'])
  for (const path of ['/readyz', '/healthz']) assert.equal((await platform.manage('GET', path)).status, 200)
  const removal = await platform.manage<Refused>('DELETE', `/api/v1/vector/upsert/${flow}?source=gull.txt`)
  assert.deepEqual([removal.status, removal.body.code], [503, 'engine_waits'])
  refuses = {}
  await untilEqual(async () => (await jobOf(body.jobId)).state, 'done')
  assert.deepEqual(((await found(flow, 'otter')) as string[]).sort(), [
    'The gull flies.',
    'The heron stands.',
    'The otter sleeps.',
  ])
})

test('a repair and a comparison that the engine does not take answer 503 with their jobs, which go on [engines:waits]', async () => {
  const flow = await newFlow('Repaired later')
  assert.equal((await upsert(flow, { 'heron.txt': 'The heron stands.' })).status, 200)
  refuses = { all: 503 }
  const jobs: string[] = []
  for (const query of ['', '?dryRun=true']) {
    const path = `/api/v1/vector/repair/${flow}${query}`
    const { status, body } = await platform.manage<Refused & { jobId: string }>('POST', path, {})
    assert.deepEqual([status, body.code], [503, 'engine_waits'])
    assert.equal((await jobOf(body.jobId)).waiting?.server, 'OpenSearch')
    jobs.push(body.jobId)
  }
  refuses = {}
  for (const id of jobs) {
    await untilEqual(async () => (await jobOf(id)).state, 'done')
    assert.partialDeepStrictEqual((await jobOf(id)).result, { numChunks: 1, numPoints: 1, numLeft: 0 })
  }
})
