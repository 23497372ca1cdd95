import assert from 'node:assert/strict'
import { test } from 'node:test'
import { node } from '../support/agent-drawing.ts'
import { agentRuntime } from '../support/agent-runtime.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { type Imported, importExport } from '../../src/flow/import/import.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'

const plug = (id: string) => `{{${id}.data.instance}}`
const edge = (source: string, target: string, input: string) => ({
  source,
  sourceHandle: `${source}-output-${source}-A|B`,
  target,
  targetHandle: `${target}-input-${input}-A`,
  type: 'buttonedge',
  id: `${source}-${target}-${input}`,
})
const take = (nodes: object[], edges: object[] = []): Imported =>
  importExport({ nodes, edges }, { catalog, credentials: new Set(), flows: new Set() }).flows[0]!
const nodesOf = ({ flowData }: Imported) =>
  new Map(
    (flowData.nodes as { id: string; data: JsonObject & { inputs: JsonObject } }[]).map(({ id, data }) => [
      id,
      data,
    ]),
  )

/** A store of LlamaIndex with its model and its embeddings, and an engine over it. */
const engine = (number: number, inputs: object = {}) => [
  node(`chatOpenAI_LlamaIndex_${number}`, { modelName: 'gpt-4o' }),
  node(`openAIEmbedding_LlamaIndex_${number}`),
  node(`simpleStoreLlamaIndex_${number}`, {
    model: plug(`chatOpenAI_LlamaIndex_${number}`),
    embeddings: plug(`openAIEmbedding_LlamaIndex_${number}`),
    topK: '3',
  }),
  node(`queryEngine_${number}`, { vectorStoreRetriever: plug(`simpleStoreLlamaIndex_${number}`), ...inputs }),
]

test('a query engine gets the model of its store and the prompt of its response synthesizer [flow:aliases]', () => {
  const imported = take(
    [
      ...engine(0, { responseSynthesizer: plug('compactrefineLlamaIndex_0'), returnSourceDocuments: true }),
      node('compactrefineLlamaIndex_0', { textQAPrompt: 'From {context} answer {query}', refinePrompt: 'x' }),
    ],
    [
      edge('chatOpenAI_LlamaIndex_0', 'simpleStoreLlamaIndex_0', 'model'),
      edge('simpleStoreLlamaIndex_0', 'queryEngine_0', 'vectorStoreRetriever'),
      edge('compactrefineLlamaIndex_0', 'queryEngine_0', 'responseSynthesizer'),
    ],
  )
  const nodes = nodesOf(imported)
  assert.partialDeepStrictEqual(nodes.get('queryEngine_0'), {
    name: 'retrievalQAChain',
    inputs: {
      vectorStoreRetriever: plug('simpleStoreLlamaIndex_0'),
      model: plug('chatOpenAI_LlamaIndex_0'),
      responsePrompt: 'From {context} answer {{question}}',
      returnSourceDocuments: true,
    },
  })
  assert.partialDeepStrictEqual(nodes.get('simpleStoreLlamaIndex_0'), {
    name: 'builtInVectorStore',
    inputs: { topK: '3', embeddings: plug('openAIEmbedding_LlamaIndex_0') },
  })
  assert.equal(nodes.has('compactrefineLlamaIndex_0'), false)
  assert.deepEqual(
    (imported.flowData.edges as { source: string; target: string; targetHandle: string }[]).map(
      ({ source, targetHandle }) => [source, targetHandle],
    ),
    [
      ['simpleStoreLlamaIndex_0', 'queryEngine_0-input-vectorStoreRetriever-A'],
      ['chatOpenAI_LlamaIndex_0', 'queryEngine_0-input-model-BaseChatModel'],
    ],
  )
  assert.deepEqual(
    imported.rows
      .filter(({ severity }) => severity === 'dropped')
      .map(({ nodeId, input }) => [nodeId, input]),
    [['compactrefineLlamaIndex_0', null]],
  )
})

test('engines that are the tools of a sub question engine answer what its model asks them [flow:aliases]', async () => {
  const tool = (number: number, name: string) =>
    node(`queryEngineToolLlamaIndex_${number}`, {
      baseQueryEngine: plug(`queryEngine_${number}`),
      toolName: name,
      toolDesc: `Knows ${name}`,
    })
  const imported = take([
    ...engine(0),
    ...engine(1),
    tool(0, 'otters'),
    tool(1, 'herons'),
    node('chatOpenAI_LlamaIndex_2'),
    node('subQuestionQueryEngine_0', {
      queryEngineTools: [plug('queryEngineToolLlamaIndex_0'), plug('queryEngineToolLlamaIndex_1')],
      model: plug('chatOpenAI_LlamaIndex_2'),
    }),
  ])
  const nodes = nodesOf(imported)
  assert.partialDeepStrictEqual(nodes.get('subQuestionQueryEngine_0'), { name: 'toolAgent' })
  // The models are put in by the test: no provider is asked.
  const drawn = (imported.flowData.nodes as { id: string; data: JsonObject }[]).map((one) =>
    /^chatOpenAI_LlamaIndex_/.test(one.id)
      ? { ...one, data: { ...one.data, name: 'scripted', inputs: { script: one.id } } }
      : /^openAIEmbedding/.test(one.id)
        ? { ...one, data: { ...one.data, name: 'builtInEmbeddings', inputs: {} } }
        : one,
  )
  const asking = scriptedModel({ calls: [{ name: 'herons', input: { input: 'Where?' } }] }, 'In the reeds.')
  const { ask } = agentRuntime({
    models: {
      chatOpenAI_LlamaIndex_2: asking,
      chatOpenAI_LlamaIndex_1: scriptedModel('Herons stand in reeds.'),
      chatOpenAI_LlamaIndex_0: scriptedModel(),
    },
    retrieve: async () => [{ pageContent: 'Herons stand in reeds.', metadata: {} }],
  })
  const { text, usedTools } = await ask({ nodes: drawn })
  assert.equal(text, 'In the reeds.')
  assert.deepEqual(
    usedTools?.map((one) => [one.tool, one.toolOutput]),
    [['herons', 'Herons stand in reeds.']],
  )
})
