import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { makePlatform } from '../support/platform.ts'
import { startRerankServer } from '../support/rerank-server.ts'

const server = await startRerankServer()
after(() => server.close())
const platform = await makePlatform()
const flow = await platform.flow({
  name: 'Reranked',
  store: { topK: 2 },
  reranker: { basePath: server.url, modelName: 'judge', localAIApiKey: 'the-key' },
})
await platform.upload(flow, {
  'long.txt': 'Otters hold hands while they sleep on the water, so that they do not drift apart.',
  'short.txt': 'Otters swim.',
  'middle.txt': 'Otters like fish and crabs.',
})
const path = `/api/v1/vector/query/${flow}`
const sourcesOf = (docs: { metadata: { source?: unknown } }[]) => docs.map(({ metadata }) => metadata.source)

test('the reranker of the flow decides the order of a query [query:rerank]', async () => {
  const { body } = await platform.query(flow, { query: 'otters sleep on the water' })
  assert.deepEqual(sourcesOf(body.docs), ['short.txt', 'middle.txt'])
  assert.equal(body.docs[0]!.scores.rerank, body.docs[0]!.score)
  const { body: call, headers } = server.calls.at(-1)!
  assert.deepEqual([call.model, call.documents.length, call.top_n], ['judge', 3, 2])
  assert.equal(headers.authorization, 'Bearer the-key')
})

test('a query with rerank: false skips the reranker [query:rerank]', async () => {
  const calls = server.calls.length
  const { body } = await platform.query(flow, { query: 'otters sleep on the water', rerank: false })
  assert.equal(sourcesOf(body.docs)[0], 'long.txt')
  assert.equal(server.calls.length, calls)
})

test('a query is tried again where the provider is busy, and fails in the provider’s name [query:rerank]', async () => {
  server.script({ status: 429, headers: { 'retry-after': '0' } })
  assert.equal((await platform.query(flow, { query: 'otters' })).status, 200)
  server.script({ status: 401 })
  const { status, body } = await platform.call<{ code: string; message: string; stage: string }>(
    'POST',
    path,
    {
      body: { query: 'otters' },
    },
  )
  assert.deepEqual([status, body.code, body.stage], [502, 'provider_failed', 'rerank'])
  assert.match(body.message, /The reranker failed: it answered 401/)
  server.script({ answer: { results: [{ index: 7, relevance_score: 1 }] } })
  const wrong = await platform.call<{ message: string }>('POST', path, { body: { query: 'otters' } })
  assert.match(wrong.body.message, /the text 7, but the request has only 3/)
})

test('a client that goes away ends the work for it', async () => {
  server.script('silence')
  const calls = server.calls.length
  const asked = request(`${platform.url}${path}?q=otters`).on('error', () => {})
  asked.end()
  while (server.calls.length === calls) await new Promise((resolve) => setTimeout(resolve, 5))
  const hungUp = once(server.calls.at(-1)!.socket, 'close')
  asked.destroy()
  await hungUp
})
