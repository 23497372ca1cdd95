import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { chromaProtocol } from '../support/engines/scripted-chroma.ts'
import { type EngineProtocol, startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { pineconeProtocol } from '../support/engines/scripted-pinecone.ts'
import { qdrantProtocol } from '../support/engines/scripted-qdrant.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { makePlatform } from '../support/platform.ts'

const KEY = 'the-key-of-the-engine'

type Case = {
  node: string
  protocol: EngineProtocol
  inputs(url: string): JsonObject
  credential: string
  values(url: string): JsonObject
  /** The header with the key, and what it has. */
  header: readonly [name: string, value: string]
  recordManager: string
}

const basic = (name: string) => `Basic ${Buffer.from(`${name}:${KEY}`).toString('base64')}`

const CASES: Case[] = [
  {
    ...{ node: 'qdrant', protocol: qdrantProtocol(), credential: 'qdrantApi', header: ['api-key', KEY] },
    inputs: (url) => ({ qdrantServerUrl: url, qdrantCollection: 'docs', qdrantVectorDimension: 1536 }),
    values: () => ({ qdrantApiKey: KEY }),
    recordManager: 'postgresRecordManager',
  },
  {
    ...{ node: 'openSearch', protocol: searchProtocol('opensearch'), credential: 'openSearchUrl' },
    inputs: () => ({ indexName: 'Docs' }),
    values: (url) => ({ openSearchUrl: url, user: 'admin', password: KEY }),
    header: ['authorization', basic('admin')],
    recordManager: 'MySQLRecordManager',
  },
  {
    ...{ node: 'elasticsearch', protocol: searchProtocol('elasticsearch'), credential: 'elasticsearchApi' },
    inputs: () => ({ indexName: 'docs', similarity: 'cosine' }),
    values: (url) => ({ endpoint: url, apiKey: KEY }),
    header: ['authorization', `ApiKey ${KEY}`],
    recordManager: 'SQLiteRecordManager',
  },
  {
    ...{
      node: 'pinecone',
      protocol: pineconeProtocol(),
      credential: 'pineconeApi',
      header: ['api-key', KEY],
    },
    inputs: (url) => ({ pineconeIndex: url, pineconeNamespace: 'docs' }),
    values: () => ({ pineconeApiKey: KEY }),
    recordManager: 'postgresRecordManager',
  },
  {
    ...{
      node: 'chroma',
      protocol: chromaProtocol(),
      credential: 'chromaApi',
      header: ['x-chroma-token', KEY],
    },
    inputs: (url) => ({ chromaURL: url, collectionName: 'docs' }),
    values: () => ({ chromaApiKey: KEY }),
    recordManager: 'MySQLRecordManager',
  },
]

const platform = await makePlatform()

for (const { node, protocol, inputs, credential, values, header, recordManager } of CASES)
  test(`a flow with the node ${node} upserts, answers, filters, replaces and removes, with the record manager ${recordManager}`, async () => {
    const scripted = await startScriptedEngine(protocol)
    after(() => scripted.close())
    const stored = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
      name: `for ${node}`,
      credentialName: credential,
      plainDataObj: values(scripted.url),
    })
    assert.equal(stored.status, 200, JSON.stringify(stored.body))
    const flow = await platform.flow({
      name: `Over ${node}`,
      storeNode: node,
      store: { ...inputs(scripted.url), credential: stored.body.id },
      recordManagerNode: recordManager,
      recordManager: { cleanup: 'full', host: 'db.example.com', database: 'records' },
    })
    await platform.upload(flow, {
      'heron.txt': 'The heron stands in the water.',
      'otter.txt': 'The otter sleeps on the water.',
    })
    assert.ok(scripted.calls.length > 0)
    for (const { headers } of scripted.calls) assert.equal(headers[header[0]], header[1])
    const sources = async (query: string, more: JsonObject = {}) => {
      const { status, body } = await platform.query(flow, { query, ...more })
      assert.equal(status, 200, JSON.stringify(body))
      return body.docs.map(({ metadata }: { metadata: { source?: unknown } }) => metadata.source)
    }
    assert.equal((await sources('Where does the heron stand?'))[0], 'heron.txt')
    assert.deepEqual(await sources('water', { filter: { source: 'otter.txt' } }), ['otter.txt'])
    assert.deepEqual(await sources('heron', { mode: 'keyword' }), ['heron.txt'])
    await platform.upload(flow, { 'otter.txt': 'The otter eats crabs.' })
    assert.deepEqual(await sources('otter'), ['otter.txt'])
    const { body } = await platform.query(flow, { query: 'otter' })
    assert.equal(body.docs[0]!.pageContent, 'The otter eats crabs.')
  })

test('Qdrant and Pinecone are experimental in the list of nodes, and once in the log of flows with them [stores:experimental]', async () => {
  const { body: nodes } = await platform.manage<{ name: string; badge?: string }[]>('GET', '/api/v1/nodes')
  const experimental = nodes.filter(({ badge }) => badge === 'EXPERIMENTAL').map(({ name }) => name)
  assert.deepEqual(experimental.sort(), ['pinecone', 'qdrant'])
  const logged = platform.log
    .filter(({ event }) => event === 'engine-experimental')
    .map(({ facts }) => String(facts.engine).split(' ', 1)[0])
  // The flows of the tests above, each asked many times.
  assert.deepEqual(logged.sort(), ['pinecone', 'qdrant'])
})
