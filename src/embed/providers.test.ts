import assert from 'node:assert/strict'
import { until } from '../../test/support/until.ts'
import { test, type TestContext } from 'node:test'
import { hashVector } from '../../test/support/hash-embedder.ts'
import { type Fault, startProviderServer } from '../../test/support/provider-server.ts'
import type { Embedder } from '../contract/embedder.ts'
import { createEgress } from '../kit/egress/client.ts'
import { createEgressRules } from '../kit/egress/rules.ts'
import { googleEmbedder } from './google.ts'
import { localAIEmbedder } from './local-ai.ts'
import { ollamaEmbedder } from './ollama.ts'
import { openAIEmbedder, type OpenAIOptions } from './openai.ts'

const KEY = 'sk-test-0123456789abcdef0123'

async function setUp(t: TestContext) {
  const server = await startProviderServer()
  const egress = createEgress({ rules: createEgressRules({ loopback: true }) })
  t.after(async () => {
    await egress.close()
    server.close()
    assert.deepEqual(server.violations, [])
  })
  const apiKey = async () => KEY
  const base = { egress, cut: true, apiKey, model: 'a-model' }
  const openAI = (more: Partial<OpenAIOptions> = {}) =>
    openAIEmbedder({ ...base, baseURL: `${server.url}/v1/`, ...more })
  const localAI = localAIEmbedder({ ...base, apiKey: async () => undefined, baseURL: `${server.url}/v1` })
  const ollama = ollamaEmbedder({ ...base, baseURL: server.url, options: { num_gpu: 1, use_mmap: true } })
  const google = googleEmbedder({
    ...base,
    baseURL: `${server.url}/v1beta`,
    task: 'RETRIEVAL_DOCUMENT',
    stripNewLines: false,
  })
  return { server, openAI, all: { openAI: openAI(), localAI, ollama, google } }
}

const texts = (count: number) => Array.from({ length: count }, (_, i) => `text number ${i}`)

async function assertEmbeds(embedder: Embedder, given: readonly string[]): Promise<void> {
  const vectors = await embedder.embed(given)
  assert.deepEqual(
    vectors,
    given.map((text) => hashVector(text)),
  )
}

test('providers give a vector per text, in order, over several calls', async (t) => {
  const { server, all } = await setUp(t)
  for (const embedder of Object.values(all)) {
    await assertEmbeds(embedder, texts(300))
    assert.deepEqual(await embedder.embedQuery('a question'), hashVector('a question'))
  }
  const sizes = (protocol: string) =>
    server.calls.filter((call) => call.protocol === protocol).map(({ texts }) => texts.length)
  assert.deepEqual(sizes('google').sort(), [1, 100, 100, 100])
  assert.equal(Math.max(...sizes('openai')), 256)
})

test('providers are called with their keys and options', async (t) => {
  const { server, all, openAI } = await setUp(t)
  for (const embedder of [...Object.values(all), openAI({ dimensions: 8, headers: { 'x-team': 'a' } })])
    await embedder.embedQuery('a question')
  const [first, local, ollama, google, second] = server.calls
  assert.equal(first!.headers.authorization, `Bearer ${KEY}`)
  assert.equal(local!.headers.authorization, 'Bearer sk-none')
  assert.deepEqual(ollama!.body.options, { num_gpu: 1, use_mmap: true })
  assert.equal(ollama!.body.truncate, false)
  assert.equal(google!.headers['x-goog-api-key'], KEY)
  assert.equal(google!.body.taskType, 'RETRIEVAL_DOCUMENT')
  assert.equal(second!.body.dimensions, 8)
  assert.equal(second!.headers['x-team'], 'a')
})

test('providers have an id of provider, model, address and each option that changes the vectors', async (t) => {
  const { server, all, openAI } = await setUp(t)
  assert.equal(
    openAI({ baseURL: 'https://me:secret@host/v1/?key=secret' }).id,
    'openai/a-model at https://host/v1',
  )
  assert.equal(
    openAI({ dimensions: 256, stripNewLines: true }).id,
    `openai/a-model at ${server.url}/v1 dimensions 256 newlines stripped`,
  )
  assert.equal(all.ollama.id, `ollama/a-model at ${server.url}`)
  assert.throws(() => openAI({ baseURL: 'ftp://host' }), /http/)
})

const short = { 'retry-after-ms': '1' }
for (const fault of [
  { status: 429, headers: short },
  { status: 500, headers: short },
  { status: 503, headers: short },
  'cut',
  'cut in the middle',
] as Fault[])
  test(`providers are called again after ${JSON.stringify(fault)}`, async (t) => {
    const { server, all } = await setUp(t)
    server.script(fault, fault, fault, fault)
    await Promise.all(Object.values(all).map((embedder) => assertEmbeds(embedder, texts(3))))
    assert.equal(server.calls.length, 8)
  })

test('providers are called again with fewer calls at once while they report too many requests', async (t) => {
  const { server, openAI } = await setUp(t)
  const embedder = openAI({ batchSize: 1 })
  assert.equal(embedder.concurrency, 4)
  server.script(...Array.from({ length: 4 }, () => ({ status: 429, headers: short })))
  await assertEmbeds(embedder, texts(4))
  assert.ok(embedder.concurrency < 4)
  await assertEmbeds(embedder, texts(60))
  assert.ok(embedder.concurrency > 4)
  assert.ok(server.most() <= embedder.concurrency)
})

for (const [fault, message] of [
  [
    { status: 401, body: JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}.` } }) },
    /401: Incorrect/,
  ],
  [
    { status: 404, body: '{"error": {"message": "The model `a-model` does not exist"}}' },
    /404: The model `a-model`/,
  ],
  [{ status: 429, body: '{"error": {"message": "You exceeded your current quota"}}' }, /429/],
  [
    { status: 400, body: '{"error": {"message": "I do not like: my own words in a document"}}' },
    /400: I do not like/,
  ],
  [{ status: 200, body: '{"data": "nonsense"}' }, /no vectors/],
  [{ status: 302, headers: { location: 'http://10.0.0.1/' } }, /may not call 10\.0\.0\.1/],
  ['infinite', /not finite/],
  ['too few', /2 vectors for 3 texts/],
] as [Fault, RegExp][])
  test(`providers fail at once after ${JSON.stringify(fault)}, with neither text nor key in the message`, async (t) => {
    const { server, openAI } = await setUp(t)
    server.script(fault)
    const given = ['my own words in a document', 'two', 'three']
    await assert.rejects(openAI().embed(given), (error: Error & { code: string }) => {
      assert.match(error.code, /provider_failed|egress_denied/)
      assert.match(error.message, message)
      assert.doesNotMatch(JSON.stringify([error.message, error]), /sk-test|own words/)
      return true
    })
    assert.equal(server.calls.length, 1)
  })

test('providers that number their vectors get them sorted by that number', async (t) => {
  const { server, openAI } = await setUp(t)
  server.script('backwards')
  await assertEmbeds(openAI(), texts(5))
})

test('providers that give vectors of another length than requested are refused', async (t) => {
  const { server, openAI } = await setUp(t)
  server.script({ dimensions: 4 })
  await assert.rejects(openAI({ dimensions: 8 }).embed(['text']), {
    message: /OpenAI failed: it gave a vector of 4 numbers/,
  })
})

test('providers that do not answer fail after the time-out', async (t) => {
  const { server, openAI } = await setUp(t)
  server.script('silence')
  await assert.rejects(openAI({ timeoutMs: 50 }).embed(['text']), {
    code: 'provider_timeout',
    message: 'OpenAI did not answer in 0.05 seconds',
  })
})

test('providers stop at once when the caller cancels, during a call or a wait', async (t) => {
  const { server, openAI } = await setUp(t)
  for (const fault of ['silence', { status: 503, headers: { 'retry-after': '60' } }] as Fault[]) {
    const caller = new AbortController()
    server.script(fault)
    const calls = server.calls.length
    const work = assert.rejects(openAI().embed(['text'], { signal: caller.signal }), { code: 'cancelled' })
    await until(() => server.calls.length > calls, 'the call')
    caller.abort()
    await work
  }
})

test('providers get texts of the length they accept: batches are split, texts cut, with a note', async (t) => {
  const { server, all } = await setUp(t)
  server.longest = 100
  for (const embedder of [all.openAI, all.ollama]) {
    server.calls.length = 0
    const notes: string[] = []
    const long = 'word '.repeat(30)
    const vectors = await embedder.embed(['before', long, 'after'], { note: (reason) => notes.push(reason) })
    const cut = server.calls
      .flatMap(({ texts }) => texts)
      .find((text) => text.length <= 100 && long.startsWith(text))!
    assert.ok(cut.length > 60, cut)
    assert.deepEqual(vectors, [hashVector('before'), hashVector(cut), hashVector('after')])
    assert.match(notes[0]!, /longer than a-model takes/)
  }
})

test('providers remember how long a text may be', async (t) => {
  const { server, all } = await setUp(t)
  server.longest = 100
  await all.localAI.embed(Array.from({ length: 3 }, (_, i) => `${i} ${'word '.repeat(30)}`))
  server.calls.length = 0
  await all.localAI.embed(Array.from({ length: 20 }, (_, i) => `${i} ${'next '.repeat(30)}`))
  assert.equal(server.calls.length, 1)
})

test('providers refuse a text that is too long if it must not be cut', async (t) => {
  const { server, openAI } = await setUp(t)
  await assert.rejects(openAI({ cut: false }).embed(['word '.repeat(8200)]), {
    code: 'text_too_long',
    status: 422,
  })
  assert.equal(server.calls.length, 0)
  server.longest = 10
  await assert.rejects(openAI({ cut: false }).embed(['more than ten characters']), { code: 'text_too_long' })
})

test('providers read the key again after it was missing', async (t) => {
  const { openAI } = await setUp(t)
  let calls = 0
  const embedder = openAI({
    async apiKey() {
      if (calls++ === 0) throw new Error('not there yet')
      return KEY
    },
  })
  await assert.rejects(embedder.embedQuery('a'))
  assert.deepEqual(await embedder.embedQuery('a'), hashVector('a'))
})
