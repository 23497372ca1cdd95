import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import type { JobAnswer } from '../../src/api/job.ts'
import type { ReindexResult } from '../../src/upsert/reindex.ts'
import { until } from '../support/job-desk.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { form, makePlatform, testScenarios } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'

const provider = await startProviderServer()
const platform = await makePlatform()
after(() => provider.close())

type Answer = ReindexResult & { jobId: string; timeTaken: number; code?: string; hint?: string }
type Node = { data: JsonObject & { name: string } }

const PROVIDER = ['localAIEmbeddings', { modelName: 'mine', basePath: `${provider.url}/v1` }] as const
const BUILT_IN = ['builtInEmbeddings', {}] as const

function drawn([name, inputs]: readonly [string, JsonObject], more: Parameters<typeof drawFlow>[0] = {}) {
  const body = drawFlow({
    splitter: { chunkSize: 40, chunkOverlap: 0 },
    recordManager: { cleanup: 'incremental' },
    overridable: ['files', 'namespace'],
    ...more,
  })
  const { nodes } = body.flowData as unknown as { nodes: Node[] }
  Object.assign(nodes.find(({ data }) => data.name === 'builtInEmbeddings')!.data, { name, inputs })
  return body
}

/** A flow that has loaded a document with the provider's embedder, of eight numbers, and embeds with the one in the box since. */
async function changedFlow(): Promise<string> {
  const { body, text } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawn(PROVIDER))
  assert.ok(body.id, text)
  assert.equal((await platform.upload(body.id, { 'a.txt': document })).body.numAdded, 30)
  await platform.manage('PUT', `/api/v1/chatflows/${body.id}`, drawn(BUILT_IN))
  return body.id
}

const document = Array.from({ length: 30 }, (_, i) => `Paragraph ${i} of the document.`).join('\n\n')
const reindex = (flow: string, body: object = {}, headers: Record<string, string> = {}, query = '') =>
  platform.call<Answer>('POST', `/api/v1/vector/reindex/${flow}${query}`, { body, headers })
const ask = (flow: string, mode: string) => platform.query(flow, { query: 'Paragraph 7', mode, topK: 3 })

test('reindex takes a flow from one embedder to another; until then keywords answer, and the refusals name it [upsert:reindex]', async () => {
  const flow = await changedFlow()
  for (const refused of [await ask(flow, 'hybrid'), await platform.upload(flow, { 'b.txt': 'New words.' })]) {
    assert.partialDeepStrictEqual(refused, { status: 409, body: { code: 'embedder_changed' } })
    assert.match((refused.body as unknown as Answer).hint!, /\/vector\/reindex/)
  }
  assert.equal((await ask(flow, 'keyword')).body.docs[0]!.pageContent, 'Paragraph 7 of the document.')

  const { status, body, text } = await reindex(flow)
  assert.equal(status, 200, text)
  assert.partialDeepStrictEqual(body, { numChunks: 30, numEmbedded: 30, dimensions: 256, warnings: [] })
  for (const mode of ['hybrid', 'vector', 'keyword'])
    assert.equal((await ask(flow, mode)).body.docs[0]!.pageContent, 'Paragraph 7 of the document.', mode)
  const again = await platform.upload(flow, { 'a.txt': document })
  assert.partialDeepStrictEqual(again.body, {
    numSkipped: 30,
    numAdded: 0,
    files: [{ name: 'a.txt', status: 'unchanged' }],
  })
  const changed = await platform.upload(flow, { 'a.txt': document.replace('Paragraph 7', 'Section 7') })
  assert.partialDeepStrictEqual(changed.body, { numSkipped: 29, numAdded: 1, numDeleted: 1, totalKeys: 30 })
})

test('reindex with Prefer: respond-async is a job that can be followed [upsert:reindex]', async () => {
  const flow = await changedFlow()
  const { status, headers, body } = await reindex(flow, {}, { prefer: 'respond-async' })
  assert.equal(status, 202)
  assert.deepEqual(body as object, { jobId: body.jobId, state: 'queued' })
  assert.equal(headers.get('location'), `/api/v1/jobs/${body.jobId}`)
  const events = await platform.call('GET', `/api/v1/jobs/${body.jobId}/events`)
  assert.match(events.text, /"state":"done"/)
  const job = await platform.call<JobAnswer>('GET', `/api/v1/jobs/${body.jobId}`)
  assert.partialDeepStrictEqual(job.body, {
    kind: 'reindex',
    state: 'done',
    chunks: { seen: 30, embedded: 30, written: 30 },
    result: { numChunks: 30, jobId: body.jobId },
  })
  assert.equal((await reindex(flow, {}, {}, '?async=true')).status, 202)
})

test('a reindex that is cancelled changes nothing, and an upsert that waited behind it goes on [upsert:reindex]', async () => {
  const { body: made } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawn(PROVIDER))
  await platform.upload(made.id, { 'a.txt': document })
  provider.script('silence')
  const calls = provider.calls.length
  const { body } = await reindex(made.id, {}, { prefer: 'respond-async' })
  const upsert = platform.upload(made.id, { 'b.txt': 'New words.' })
  const silent = () => platform.call<JobAnswer>('GET', `/api/v1/jobs/${body.jobId}`)
  await until(() => provider.calls.length > calls)
  const cancelled = await platform.call<JobAnswer>('POST', `/api/v1/jobs/${body.jobId}/cancel`)
  assert.partialDeepStrictEqual(cancelled.body, { state: 'cancelled', error: { code: 'cancelled' } })
  assert.partialDeepStrictEqual((await upsert).body, { numAdded: 1, totalKeys: 31 })
  const retried = await platform.call<JobAnswer>('POST', `/api/v1/jobs/${body.jobId}/retry`)
  assert.equal(retried.status, 200)
  await platform.call('GET', `/api/v1/jobs/${body.jobId}/events`)
  assert.partialDeepStrictEqual((await silent()).body, { state: 'done', result: { numChunks: 31 } })
})

test('an equal Idempotency-Key gets the first answer of a reindex again', async () => {
  const flow = await changedFlow()
  const [first, second] = [
    await reindex(flow, {}, { 'idempotency-key': 'once' }),
    await reindex(flow, {}, { 'idempotency-key': 'once' }),
  ]
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
})

const { apiKey, id: keyId } = await platform.key({ scopes: ['upsert'] })
const asking = await platform.key({ scopes: ['query'] })
await platform.manage('POST', '/api/v1/chatflows', drawn(BUILT_IN, { slug: 'closed', apikeyid: keyId }))
const closed = '/api/v1/vector/reindex/closed'

testScenarios(platform, [
  { name: 'a reindex follows its flow: closed without a key', method: 'POST', path: closed, status: 401 },
  {
    name: 'a reindex is closed to a key that may only query',
    method: 'POST',
    path: closed,
    key: asking.apiKey,
    status: 401,
  },
  {
    name: 'a reindex of a flow that holds nothing has nothing to do',
    method: 'POST',
    path: closed,
    key: apiKey,
    status: 200,
    expect: { numChunks: 0, numEmbedded: 0 },
  },
  {
    name: 'a reindex names the overrides that it ignored',
    method: 'POST',
    path: closed,
    key: apiKey,
    body: { overrideConfig: { topK: 3, namespace: 'elsewhere' } },
    status: 200,
    expect: { warnings: [{ key: 'topK' }] },
  },
  {
    name: 'a reindex has no dry run',
    method: 'POST',
    path: closed,
    key: apiKey,
    body: { overrideConfig: { dryRun: true } },
    status: 400,
    expect: { code: 'override_invalid' },
  },
  {
    name: 'a reindex takes no form',
    method: 'POST',
    path: closed,
    key: apiKey,
    body: form({ 'a.txt': 'words' }),
    status: 415,
  },
  { name: 'a reindex of no flow', method: 'POST', path: '/api/v1/vector/reindex/nobody', status: 404 },
  {
    name: 'a reindex of a store that is not in the flow',
    method: 'POST',
    path: closed,
    key: apiKey,
    body: { stopNodeId: 'fileLoader_0' },
    status: 422,
    contains: ['stopNodeId'],
  },
])
