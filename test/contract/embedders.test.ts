import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { builtPart } from '../support/built-part.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { embedderSuite } from './embedder.ts'

const server = await startProviderServer()
after(() => {
  server.close()
  assert.deepEqual(server.violations, [])
})

const [openAIApiKey, modelName] = ['sk-test', 'a-model']

/** The nodes that embed, with inputs; those of providers call a server on loopback that has their protocols. */
const NODES: [node: string, inputs: JsonObject][] = [
  ['builtInEmbeddings', {}],
  ['openAIEmbeddings', { openAIApiKey, modelName, basepath: `${server.url}/v1` }],
  ['openAIEmbeddingsCustom', { openAIApiKey, modelName, basepath: `${server.url}/v1`, dimensions: 8 }],
  ['localAIEmbeddings', { modelName, basePath: `${server.url}/v1` }],
  ['ollamaEmbedding', { modelName, baseUrl: server.url }],
  [
    'googleGenerativeAiEmbeddings',
    { googleGenerativeAPIKey: 'test-key', modelName, baseUrl: `${server.url}/v1beta` },
  ],
]

for (const [node, inputs] of NODES) embedderSuite(node, () => builtPart('embedder', node, inputs))

test('embedderSuite() is run by every embedder of the catalog', () => {
  const embedders = [...catalog.values()].filter(({ kind }) => kind === 'embedder').map(({ name }) => name)
  assert.deepEqual(NODES.map(([node]) => node).sort(), embedders.sort())
})
