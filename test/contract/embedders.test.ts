import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { EMBEDDING_PROVIDERS } from '../../src/nodes/embeddings/embedding-providers.ts'
import { builtPart } from '../support/built-part.ts'
import { egressTo } from '../support/embed-dialects.ts'
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

/** What a credential of each provider holds. */
const held: Record<string, string> = {
  azureOpenAIApiInstanceName: 'our-resource',
  azureOpenAIApiDeploymentName: 'our-deployment',
  ...Object.fromEntries(EMBEDDING_PROVIDERS.map(({ credential }) => [credential.key, 'sk-test'])),
}
const services = { egress: egressTo(server.url), credential: async () => held }

for (const { node, names, dimensions } of EMBEDDING_PROVIDERS) {
  const length = dimensions === undefined ? {} : { [names?.dimensions ?? 'dimensions']: 8 }
  const inputs = { modelName, credential: 'a-credential', ...length }
  NODES.push([node, inputs])
  embedderSuite(node, () => builtPart('embedder', node, inputs, services))
}

const own = new Set(EMBEDDING_PROVIDERS.map(({ node }) => node))
for (const [node, inputs] of NODES.filter(([node]) => !own.has(node)))
  embedderSuite(node, () => builtPart('embedder', node, inputs))

test('embedderSuite() is run by every embedder of the catalog', () => {
  const embedders = [...catalog.values()].filter(({ kind }) => kind === 'embedder').map(({ name }) => name)
  assert.deepEqual(NODES.map(([node]) => node).sort(), embedders.sort())
})
