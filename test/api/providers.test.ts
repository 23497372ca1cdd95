import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { after, afterEach, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { makePlatform, type TestPlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'

const SECRET = 'sk-the-key-of-the-provider'
const OWN = 'sk-the-key-of-the-server'

const provider = await startProviderServer()
const platform = await makePlatform({ OPENAI_API_KEY: OWN, OPENAI_BASE_URL: `${provider.url}/v1` })
after(() => {
  provider.close()
  assert.deepEqual(provider.violations, [])
})
afterEach(() => {
  provider.calls.length = 0
  provider.longest = Infinity
})

type Node = { data: JsonObject & { name: string } }

/** Stores a flow that embeds with a provider. */
async function flowWith(
  name: string,
  inputs: JsonObject,
  { credential, on = platform }: { credential?: string; on?: TestPlatform } = {},
): Promise<string> {
  const drawing = drawFlow({ splitter: { chunkSize: 40, chunkOverlap: 0 }, recordManager: {} })
  const { nodes } = drawing.flowData as unknown as { nodes: Node[] }
  const node = nodes.find(({ data }) => data.name === 'builtInEmbeddings')!
  Object.assign(node.data, { name, label: name, inputs, ...(credential ? { credential } : {}) })
  const { body, status, text } = await on.manage<{ id: string }>('POST', '/api/v1/chatflows', drawing)
  assert.equal(status, 200, text)
  return body.id
}

async function credentialOf(kind: string, data: JsonObject): Promise<string> {
  const body = { name: 'A credential', credentialName: kind, plainDataObj: data }
  return (await platform.manage<{ id: string }>('POST', '/api/v1/credentials', body)).body.id
}

const basepath = `${provider.url}/v1`
const document = Array.from({ length: 30 }, (_, i) => `Paragraph ${i} of the document.`).join('\n\n')
const short = { 'retry-after-ms': '1' }

/** How many chunks readers see. */
async function visible(flow: string): Promise<number> {
  const { body } = await platform.manage<{ data: { chunks: number }[] }>(
    'GET',
    `/api/v1/vector/sources/${flow}`,
  )
  return body.data.reduce((sum, { chunks }) => sum + chunks, 0)
}

test('an upsert embeds with each provider, by the key of its credential, and a question finds what it holds', async () => {
  const openAI = { credential: await credentialOf('openAIApi', { openAIApiKey: SECRET }) }
  const google = { credential: await credentialOf('googleGenerativeAI', { googleGenerativeAPIKey: SECRET }) }
  for (const [name, inputs, options] of [
    ['openAIEmbeddings', { modelName: 'text-embedding-3-small', basepath, batchSize: '7' }, openAI],
    ['openAIEmbeddingsCustom', { modelName: 'mine', basepath, FLOWISE_CREDENTIAL_ID: openAI.credential }, {}],
    ['localAIEmbeddings', { modelName: 'mine', basePath: basepath }, {}],
    ['ollamaEmbedding', { modelName: 'mine', baseUrl: provider.url, numGpu: '' }, {}],
    ['googleGenerativeAiEmbeddings', { baseUrl: `${provider.url}/v1beta` }, google],
  ] as [string, JsonObject, { credential?: string }][]) {
    const flow = await flowWith(name, inputs, options)
    const { status, body, text } = await platform.upload(flow, { 'a.txt': document })
    assert.equal(status, 200, text)
    assert.ok(body.numAdded >= 15, text)
    const answer = await platform.query(flow, { query: 'Paragraph 3', mode: 'vector' })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.docs.length, 4)
    const again = await platform.upload(flow, { 'a.txt': document })
    assert.equal(again.body.numSkipped, body.numAdded)
  }
  const used = provider.calls.map(({ headers }) => headers.authorization ?? headers['x-goog-api-key'])
  assert.deepEqual(new Set(used), new Set([`Bearer ${SECRET}`, 'Bearer sk-none', undefined, SECRET]))
})

test('an upsert gets through a storm of 429 and cut connections without losing or doubling a chunk', async () => {
  const flow = await flowWith('openAIEmbeddings', { openAIApiKey: SECRET, basepath, batchSize: 5 })
  const storm = Array.from({ length: 4 }, () => ({ status: 429, headers: short }))
  provider.script(...storm, 'cut', undefined, 'cut in the middle', { status: 503, headers: short })
  const { status, body, text } = await platform.upload(flow, { 'a.txt': document })
  assert.equal(status, 200, text)
  assert.equal(await visible(flow), body.numAdded)
})

for (const [name, fault, status, code] of [
  ['a slow answer', 'silence', 504, 'provider_timeout'],
  ['vectors of another length', { dimensions: 4 }, 422, 'dimension_mismatch'],
  ['vectors that are no numbers', 'infinite', 502, 'provider_failed'],
  [
    'a refused key',
    { status: 401, body: `{"error":{"message":"Wrong key ${SECRET}"}}` },
    502,
    'provider_failed',
  ],
] as const)
  test(`an upsert fails on ${name} with ${status}, and nothing of it is visible`, async () => {
    const flow = await flowWith('openAIEmbeddings', { openAIApiKey: SECRET, basepath, batchSize: 5 })
    const setTimeout = async (timeout: number) => {
      const set = { timeout: String(timeout) }
      const changed = await platform.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set })
      assert.equal(changed.status, 200, changed.text)
    }
    assert.equal((await platform.upload(flow, { 'before.txt': 'It was there before.' })).status, 200)
    provider.script(undefined, fault)
    // Only for the call that gets no answer: all others may be slow.
    if (fault === 'silence') await setTimeout(200)
    const answer = await platform.upload(flow, { 'a.txt': document })
    // On a busy machine the first call may come too late itself: then no second one has met the silence.
    provider.unscript()
    await setTimeout(60_000)
    assert.equal(answer.status, status, answer.text)
    assert.partialDeepStrictEqual(answer.body, { code })
    assert.ok(!answer.text.includes(SECRET))
    assert.equal(await visible(flow), 1)
    assert.equal((await platform.upload(flow, { 'a.txt': document })).status, 200)
  })

test('an upsert warns of texts that were cut', async () => {
  const flow = await flowWith('ollamaEmbedding', { modelName: 'small', baseUrl: provider.url })
  provider.longest = 20
  const { body, text } = await platform.upload(flow, { 'a.txt': 'Words enough to be too many for it.' })
  assert.equal(body.warnings.length, 1, text)
  assert.match(body.warnings[0]!.reason, /longer than small takes/)
})

test('the key of the server goes to its own base URL and to no other', async () => {
  const flow = await flowWith('openAIEmbeddings', {})
  assert.equal((await platform.upload(flow, { 'a.txt': 'A text.' })).status, 200)
  assert.equal(provider.calls[0]!.headers.authorization, `Bearer ${OWN}`)
  const elsewhere = await flowWith('openAIEmbeddings', { basepath: `${provider.url}/elsewhere/v1` })
  const answer = await platform.upload(elsewhere, { 'a.txt': 'A text.' })
  assert.equal(answer.status, 422, answer.text)
  assert.partialDeepStrictEqual(answer.body, { code: 'credential_missing' })
})

test('a credential that is not there is named when the flow is used', async () => {
  const flow = await flowWith('openAIEmbeddings', {}, { credential: 'gone' })
  const answer = await platform.upload(flow, { 'a.txt': 'A text.' })
  assert.partialDeepStrictEqual(answer, { status: 422, body: { code: 'credential_missing' } })
})

test('a credential of another kind is refused when the flow is saved', async () => {
  const credential = await credentialOf('anthropicApi', { anthropicApiKey: SECRET })
  await assert.rejects(flowWith('openAIEmbeddings', {}, { credential }), /credential_wrong_kind/)
})

test('keys and addresses are overridden only if the flow opens them for that node', async () => {
  const flow = await flowWith('openAIEmbeddings', { openAIApiKey: SECRET })
  const overrides = {
    openAIApiKey: 'sk-mine',
    basepath: 'http://10.0.0.1/v1',
    credential: 'x',
    baseOptions: { a: 'b' },
  }
  const { body, text } = await platform.upload(
    flow,
    { 'a.txt': 'A text.' },
    Object.fromEntries(Object.entries(overrides).map(([key, value]) => [key, JSON.stringify(value)])),
  )
  assert.equal(body.warnings.length, 4, text)
  assert.equal(provider.calls[0]!.headers.authorization, `Bearer ${SECRET}`)
})

test('a provider at a private address is not called, and the answer names the setting that allows it', async () => {
  const flow = await flowWith('ollamaEmbedding', { modelName: 'm', baseUrl: 'http://10.0.0.1:11434' })
  const answer = await platform.upload(flow, { 'a.txt': 'A text.' })
  assert.equal(answer.status, 403, answer.text)
  assert.partialDeepStrictEqual(answer.body, { code: 'egress_denied' })
  assert.match((answer.body as unknown as { hint: string }).hint, /EGRESS_ALLOW=…,10\.0\.0\.1:11434/)
})

test('a server that listens beyond this machine calls no service of this machine, unless it is allowed', async () => {
  for (const [settings, status] of [
    [{ EGRESS_ALLOW: '' }, 403],
    [{ EGRESS_ALLOW: new URL(provider.url).host }, 200],
    [{ EGRESS_ALLOW: '127.0.0.0/8', EGRESS_DENY: '127.0.0.1' }, 403],
  ] as const) {
    const on = await makePlatform({ HOST: '0.0.0.0', ALLOW_OPEN_UPSERT: 'true', ...settings }, { servers: 1 })
    const flow = await flowWith('ollamaEmbedding', { modelName: 'm', baseUrl: provider.url }, { on })
    assert.equal((await on.upload(flow, { 'a.txt': 'A text.' })).status, status)
  }
})

test('no key is in the log, and no key of a credential is in a file', async () => {
  assert.doesNotMatch(JSON.stringify(platform.log), /sk-the-key/)
  const flow = await flowWith(
    'openAIEmbeddings',
    { basepath },
    {
      credential: await credentialOf('openAIApi', { openAIApiKey: 'sk-only-in-a-credential' }),
    },
  )
  assert.equal((await platform.upload(flow, { 'a.txt': 'A text.' })).status, 200)
  for (const name of readdirSync(platform.dataDirectory)) {
    const file = path.join(platform.dataDirectory, name)
    if (statSync(file).isFile())
      assert.doesNotMatch(readFileSync(file, 'latin1'), /sk-only-in|key-of-the-server/, name)
  }
})

test('the log has what a provider says, without the key, for a job and for a request', async () => {
  const flow = await flowWith('openAIEmbeddings', { basepath, openAIApiKey: SECRET })
  const fault = { status: 401, body: `{"error":{"message":"Wrong key ${SECRET} ${'x'.repeat(3000)}"}}` }
  assert.equal((await platform.upload(flow, { 'before.txt': 'It was there before.' })).status, 200)
  provider.script(fault)
  const { status } = await platform.upload(flow, { 'a.txt': 'One.' })
  assert.equal(status, 502)
  provider.script(fault)
  assert.equal((await platform.query(flow, { query: 'one' })).status, 502)
  for (const event of ['job-ended', 'request-failed']) {
    const { facts } = platform.log.findLast((line) => line.event === event)!
    assert.partialDeepStrictEqual(facts, { code: 'provider_failed', flowId: flow }, event)
    assert.match(String(facts.reason), /Wrong key /)
    assert.ok(String(facts.reason).length <= 501)
    assert.ok(!JSON.stringify(facts).includes(SECRET))
  }
})
