import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Embedder } from '../../src/contract/embedder.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import {
  EMBEDDING_PROVIDERS,
  type EmbeddingProvider,
} from '../../src/nodes/embeddings/embedding-providers.ts'
import { builtPart } from '../support/built-part.ts'
import { EMBED_CALLS, egressTo } from '../support/embed-dialects.ts'
import { startProviderServer } from '../support/provider-server.ts'

const server = await startProviderServer()
after(() => {
  server.close()
  assert.deepEqual(server.violations, [])
})

const KEY = 'key-0123456789-of-the-flow'
const addresses: string[] = []
const egress = egressTo(server.url, addresses)

const build = (
  row: EmbeddingProvider,
  inputs: JsonObject = {},
  held: Record<string, string> = {},
): Embedder =>
  builtPart(
    'embedder',
    row.node,
    {
      modelName: row.model ?? 'a-model',
      ...(row.dimensions === undefined ? {} : { [row.names?.dimensions ?? 'dimensions']: 8 }),
      credential: 'a-credential',
      ...inputs,
    },
    {
      egress,
      credential: async () => ({
        [row.credential.key]: KEY,
        ...(row.azure
          ? { azureOpenAIApiInstanceName: 'our-resource', azureOpenAIApiDeploymentName: 'ada' }
          : {}),
        ...held,
      }),
    },
  )

const rowOf = (name: string) => EMBEDDING_PROVIDERS.find(({ node }) => node === name)!
const sent = () => server.calls.at(-1)!

test('each row of the table of embeddings is held against its description', () => {
  assert.deepEqual(EMBEDDING_PROVIDERS.map(({ node }) => node).sort(), Object.keys(EMBED_CALLS).sort())
})

for (const row of EMBEDDING_PROVIDERS) {
  const { node, provider } = row
  const [address, document, query] = EMBED_CALLS[node]!

  test(`${node} asks ${provider} at its address with the key of the credential, for documents and for questions`, async () => {
    const embedder = build(row)
    addresses.length = 0
    await embedder.embed(['An otter.', 'A heron.'])
    assert.deepEqual(addresses, [address])
    const { headers, body } = sent()
    assert.deepEqual(
      [headers['api-key'], headers.authorization],
      row.azure ? [KEY, undefined] : [undefined, `Bearer ${KEY}`],
    )
    assert.partialDeepStrictEqual(body, document)
    await embedder.embedQuery('Which animals?')
    assert.partialDeepStrictEqual(sent().body, query)
    assert.ok(!embedder.id.includes(KEY))
  })

  test(`${node} names ${provider} where it refuses the key or the model, or answers with a page, and cuts what is too long`, async () => {
    const html = '<html>Sign in</html>'
    const cases: [fault: { status: number; body: string; headers?: Record<string, string> }, says: RegExp][] =
      [
        [{ status: 401, body: `{"message": "the key ${KEY} is wrong"}` }, /it answered 401/],
        [{ status: 404, body: '{"error": "no such model"}' }, /it answered 404: no such model/],
        [{ status: 200, body: html, headers: { 'content-type': 'text/html' } }, /its answer is a web page/],
        [{ status: 200, body: '{"data": "none"}' }, /its answer has no vectors in it/],
        [{ status: 200, body: '[[[0.1]]]' }, /its answer has no vectors in it/],
      ]
    for (const [fault, says] of cases) {
      server.script(fault)
      await assert.rejects(build(row).embedQuery('a'), (error: Error & { facts?: object }) => {
        assert.ok(error.message.includes(provider), error.message)
        assert.match(error.message, says)
        assert.ok(!JSON.stringify([error.message, error.facts]).includes(KEY))
        return true
      })
    }
    server.script({ status: 429, body: '{"detail": "slow down"}', headers: { 'retry-after-ms': '1' } })
    assert.equal((await build(row).embed(['again'])).length, 1)
    server.longest = 50
    const notes: string[] = []
    await build(row).embed(['word '.repeat(20)], { note: (reason) => notes.push(reason) })
    server.longest = Infinity
    assert.ok(notes.length > 0)
  })

  test(`${node} keeps to the limits of ${provider}`, async () => {
    const embedder = build(row)
    const before = server.calls.length
    await embedder.embed(Array.from({ length: row.limits.texts + 1 }, (_, n) => `text ${n}`))
    const sizes = server.calls.slice(before).map(({ texts }) => texts.length)
    assert.deepEqual(
      sizes.toSorted((a, b) => b - a),
      [row.limits.texts, 1],
    )
  })

  test(`${node} refuses to work without a key, and calls nothing`, async () => {
    const before = server.calls.length
    await assert.rejects(build(row, { credential: '' }).embedQuery('a'), { code: 'credential_missing' })
    assert.equal(server.calls.length, before)
  })
}

test('cohereEmbeddings embeds for other purposes than a search where the flow says so', async () => {
  const embedder = build(rowOf('cohereEmbeddings'), { inputType: 'clustering' })
  await embedder.embedQuery('a')
  assert.equal(sent().body.input_type, 'clustering')
  assert.match(embedder.id, /clustering/)
  const search = build(rowOf('cohereEmbeddings'), { inputType: 'search_query' })
  await search.embed(['a'])
  assert.equal(sent().body.input_type, 'search_document')
  assert.equal(search.id, build(rowOf('cohereEmbeddings')).id)
})

test('jinaEmbeddings sends the older models no task and no length', async () => {
  const embedder = build(rowOf('jinaEmbeddings'), { modelName: 'jina-embeddings-v2-base-en' })
  await embedder.embedQuery('a')
  assert.deepEqual([sent().body.task, sent().body.dimensions], [undefined, undefined])
})

test('voyageAIEmbeddings calls the address of its credential, huggingFaceInferenceEmbeddings its own endpoint', async () => {
  addresses.length = 0
  const endpoint = 'https://api.voyageai.com/v1/embeddings/'
  await build(rowOf('voyageAIEmbeddings'), {}, { endpoint }).embedQuery('a')
  await build(rowOf('huggingFaceInferenceEmbeddings'), { endpoint: 'https://endpoint.example/' }).embedQuery(
    'a',
  )
  assert.deepEqual(addresses, ['https://api.voyageai.com/v1/embeddings', 'https://endpoint.example/'])
})
