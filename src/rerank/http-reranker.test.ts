import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type RerankFault, startRerankServer } from '../../test/support/rerank-server.ts'
import { until } from '../../test/support/until.ts'
import { createEgress } from '../kit/egress/client.ts'
import { createEgressRules } from '../kit/egress/rules.ts'
import { SluiceError } from '../kit/errors.ts'
import { httpReranker, type HttpRerankerOptions } from './http-reranker.ts'

const KEY = 'co-secret-0123456789'
const TEXTS = ['a rather long text about herons', 'short', 'of middling length']

async function setUp(t: TestContext, more: Partial<HttpRerankerOptions> = {}) {
  const server = await startRerankServer()
  const egress = createEgress({ rules: createEgressRules({ loopback: true }) })
  t.after(async () => {
    await egress.close()
    server.close()
    assert.deepEqual(server.violations, [])
  })
  const waits: number[] = []
  const reranker = httpReranker({
    egress,
    provider: 'Cohere',
    model: 'rerank-v3.5',
    baseURL: `${server.url}/`,
    apiKey: async () => KEY,
    keyHint: 'Check the key',
    retry: { random: () => 0, wait: async (ms) => void waits.push(ms) },
    ...more,
  })
  const rerank = (texts = TEXTS, limit = 2) => reranker.rerank('which is short?', texts, { limit })
  return { server, reranker, rerank, waits }
}

const places = (ranking: { index: number }[]) => ranking.map(({ index }) => index)

test('httpReranker() sends query and texts once, with the key, and returns the best texts first', async (t) => {
  const { server, rerank, reranker } = await setUp(t)
  const ranking = await rerank()
  assert.deepEqual(places(ranking), [1, 2])
  assert.equal(ranking[0]!.score, 1 / 5)
  const [call] = server.calls
  assert.equal(server.calls.length, 1)
  assert.deepEqual(call!.body, {
    model: 'rerank-v3.5',
    query: 'which is short?',
    documents: TEXTS,
    top_n: 2,
  })
  assert.equal(call!.headers.authorization, `Bearer ${KEY}`)
  assert.match(reranker.id, /^rerank\/rerank-v3\.5 at http:\/\/127\.0\.0\.1:\d+\/v2$/)
})

test('httpReranker() works without a key, and requests no more results than there are texts', async (t) => {
  const { server, rerank } = await setUp(t, { apiKey: async () => undefined })
  assert.deepEqual(places(await rerank(TEXTS, 100)), [1, 2, 0])
  assert.equal(server.calls[0]!.headers.authorization, undefined)
  assert.equal(server.calls[0]!.body.top_n, 3)
})

test('httpReranker() sorts an unsorted ranking, drops extra results, and reads `data` too', async (t) => {
  const { server, rerank } = await setUp(t)
  const data = [0.1, 0.3, 0.2].map((relevance_score, index) => ({ index, relevance_score }))
  server.script({ answer: { data } }, { answer: { results: data } })
  assert.deepEqual(places(await rerank()), [1, 2])
  assert.deepEqual(places(await rerank()), [1, 2])
})

test('httpReranker() retries after 429, 5xx and cut connections, after the delay that the provider names', async (t) => {
  const { server, rerank, waits } = await setUp(t)
  server.script({ status: 429, headers: { 'retry-after': '3' } }, 'cut')
  assert.deepEqual(places(await rerank()), [1, 2])
  assert.equal(server.calls.length, 3)
  assert.deepEqual(waits, [3000, 500])
})

const row = (index: unknown, relevance_score: unknown = 0.5) => ({ index, relevance_score })
const again = (fault: RerankFault) => [fault, fault, fault]
const FAILURES: [what: string, faults: RerankFault[], reason: RegExp, calls: number][] = [
  ['a provider that stays down', again({ status: 500 }), /Cohere failed: it answered 500: no/, 3],
  ['a key that is not accepted', [{ status: 401 }], /it answered 401/, 1],
  ['an answer that is not JSON', [{ answer: 'hello' }], /contains no ranking/, 1],
  ['a row without a score', [{ answer: { results: [row(0, 'high'), row(1)] } }], /contains no ranking/, 1],
  [
    'an index without a text',
    [{ answer: { results: [row(0), row(3)] } }],
    /the text 3, but the request has only 3/,
    1,
  ],
  [
    'half an index',
    [{ answer: { results: [row(0), row(0.5)] } }],
    /the text 0\.5, but the request has only 3/,
    1,
  ],
  ['an index twice', [{ answer: { results: [row(1), row(1)] } }], /a text twice/, 1],
  ['too few results', [{ answer: { results: [row(1)] } }], /ranked 1 texts instead of 2/, 1],
]

for (const [what, faults, reason, calls] of FAILURES)
  test(`httpReranker() reports ${what}`, async (t) => {
    const { server, rerank } = await setUp(t)
    server.script(...faults)
    await assert.rejects(rerank(), (error: unknown) => {
      assert.ok(error instanceof SluiceError)
      assert.deepEqual([error.code, error.status, error.facts.stage], ['provider_failed', 502, 'rerank'])
      assert.match(error.message, reason)
      return true
    })
    assert.equal(server.calls.length, calls)
  })

test('httpReranker() shows neither the key nor the texts', async (t) => {
  const { server, rerank } = await setUp(t)
  const body = JSON.stringify({ message: `bad key ${KEY} for ${TEXTS[0]}` })
  server.script({ status: 403, body })
  await assert.rejects(rerank(), (error: unknown) => {
    const { message, facts } = error as SluiceError
    assert.doesNotMatch(message, /secret|herons/)
    assert.equal(facts.hint, 'Check the key')
    return true
  })
})

test('httpReranker() stops after its timeout', async (t) => {
  const { server, rerank } = await setUp(t, { timeoutMs: 50, retry: { attempts: 1 } })
  server.script('silence')
  await assert.rejects(rerank(), (error: unknown) => (error as SluiceError).code === 'provider_timeout')
})

test('httpReranker() stops when its signal is aborted', async (t) => {
  const { server, reranker } = await setUp(t)
  server.script('silence')
  const stop = new AbortController()
  const asked = assert.rejects(
    reranker.rerank('x', TEXTS, { limit: 1, signal: stop.signal }),
    (error: unknown) => (error as SluiceError).code === 'cancelled',
  )
  await until(() => server.calls.length > 0, 'the call')
  stop.abort()
  await asked
})
