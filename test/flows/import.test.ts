import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalog } from '../../src/nodes/catalog.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { type Imported, importExport } from '../../src/flow/import/import.ts'

const node = (name: string, inputs: JsonObject = {}, more: JsonObject = {}) => ({
  id: `${name}_0`,
  type: 'customNode',
  data: { id: `${name}_0`, name, label: name, inputs, ...more },
})
const takeAll = (exported: unknown, credentials: string[] = [], flows: string[] = []) =>
  importExport(exported, { catalog, credentials: new Set(credentials), flows: new Set(flows) }).flows
const take = (...args: Parameters<typeof takeAll>): Imported => takeAll(...args)[0]!
const inputsOf = (flowData: JsonObject, id: string) =>
  (flowData.nodes as { id: string; data: { inputs: JsonObject } }[]).find((one) => one.id === id)!.data.inputs

for (const [guise, exported] of [
  ['the file of the editor', { nodes: [node('plainText')], edges: [] }],
  ['a row, its drawing as text', { name: 'Mine', flowData: JSON.stringify({ nodes: [node('plainText')] }) }],
  ['a row, its drawing as an object', { flowData: { nodes: [node('plainText')] } }],
  ['a whole instance with one flow', { ChatFlow: [{ flowData: { nodes: [node('plainText')] } }], Tool: [] }],
] as const)
  test(`importExport() takes ${guise}`, () => {
    const { report, flowData } = take(exported)
    assert.deepEqual([report.nodes, report.supported], [1, true])
    assert.equal((flowData.nodes as unknown[]).length, 1)
  })

for (const [what, exported, reason] of [
  ['a list', [], /there is no flow in it/],
  ['an object without nodes', { edges: [] }, /there is no flow in it/],
  ['text for a drawing that is none', { flowData: 'x' }, /there is no flow in it/],
  [
    'a whole instance with tools alone',
    { FileDefaultName: 'ExportData.json', ChatFlow: [], Tool: [{ name: 'weather', schema: '[]', func: '' }] },
    /there is no flow in it, beside which its custom tools and variables would come in/,
  ],
  [
    'a tool of Flowise',
    { name: 'weather', description: 'd', color: '#000', schema: '[]', func: 'return 1' },
    /it is a custom tool, not a flow/,
  ],
  [
    'two nodes of one id',
    { nodes: [node('plainText'), node('plainText')] },
    /two nodes have the id plainText_0/,
  ],
] as const)
  test(`importExport() refuses ${what}`, () => {
    assert.throws(
      () => take(exported),
      (error: unknown) =>
        error instanceof SluiceError && error.code === 'flow_invalid' && reason.test(error.message),
    )
  })

test('importExport() makes memoryVectorStore and faiss the store in the box, and keeps what is plugged in', () => {
  for (const name of ['memoryVectorStore', 'faiss']) {
    const inputs = { document: ['{{plainText_0.data.instance}}'], topK: '7', basePath: 'C:\\faiss' }
    const { report, flowData } = take({ nodes: [node(name, inputs, { label: 'My store' })], edges: [] })
    assert.partialDeepStrictEqual(report.replaced, [{ name, by: 'builtInVectorStore', label: 'My store' }])
    assert.equal(report.supported, true)
    const { data } = (flowData.nodes as { data: JsonObject }[])[0]!
    assert.partialDeepStrictEqual(data, { name: 'builtInVectorStore', label: 'My store' })
    assert.deepEqual(data.inputs, { document: inputs.document, topK: '7' })
  }
})

test('importExport() replaces a store within a node of an agent flow as well', () => {
  const knowledge = [{ vectorStore: 'faiss', vectorStoreConfig: { vectorStore: 'faiss', topK: 3 } }]
  const { report, flowData } = take({ nodes: [node('agentAgentflow', { knowledge })] })
  assert.partialDeepStrictEqual(report.replaced, [{ within: 'vectorStore', name: 'faiss' }])
  assert.deepEqual(inputsOf(flowData, 'agentAgentflow_0').knowledge, [
    { vectorStore: 'builtInVectorStore', vectorStoreConfig: { vectorStore: 'builtInVectorStore', topK: 3 } },
  ])
})

test('importExport() names nodes that are not here, and passes over notes', () => {
  const note = { ...node('stickyNote'), type: 'stickyNote' }
  const { report } = take({ nodes: [node('openAIAssistant'), note, node('plainText')] })
  assert.equal(report.supported, false)
  assert.deepEqual(report.unsupported, [
    { nodeId: 'openAIAssistant_0', label: 'openAIAssistant', name: 'openAIAssistant' },
  ])
})

test('importExport() names the credentials and the files that an export leaves behind', () => {
  const foreign = node('openAIEmbeddings', {}, { credential: 'of-another-server' })
  const { report, flowData } = take({ nodes: [foreign, node('pdfFile')] })
  assert.partialDeepStrictEqual(report.credentials, [
    { nodeId: 'openAIEmbeddings_0', input: 'credential', kinds: ['openAIApi'] },
  ])
  assert.partialDeepStrictEqual(report.files, [{ nodeId: 'pdfFile_0', input: 'pdfFile', accepts: '.pdf' }])
  assert.equal(JSON.stringify(flowData).includes('of-another-server'), false)
})

test('importExport() keeps a credential that this server holds', () => {
  const { report, flowData } = take({ nodes: [node('openAIEmbeddings', {}, { credential: 'here' })] }, [
    'here',
  ])
  assert.deepEqual(report.credentials, [])
  assert.equal(JSON.stringify(flowData).includes('here'), true)
})

test('importExport() keeps the default if a value cannot be read, and reports it', () => {
  const { report, flowData } = take({
    nodes: [node('recursiveCharacterTextSplitter', { chunkSize: 'many' })],
  })
  assert.partialDeepStrictEqual(report.defaulted, [
    { input: 'chunkSize', reason: 'expected a number, received "many"', value: 1000 },
  ])
  assert.equal(inputsOf(flowData, 'recursiveCharacterTextSplitter_0').chunkSize, '')
})

test('importExport() names inputs that the node here does not have, and leaves the export as it was', () => {
  const exported = { nodes: [node('builtInEmbeddings', { proxyUrl: 'http://x', empty: '' })] }
  const before = structuredClone(exported)
  assert.partialDeepStrictEqual(take(exported).report.ignored, [{ input: 'proxyUrl' }])
  assert.deepEqual(exported, before)
})

test('importExport() names the nodes that are experimental [stores:experimental]', () => {
  const { report } = take({ nodes: [node('qdrant', {}), node('chroma', {})] })
  assert.deepEqual(
    report.experimental.map(({ name }) => name),
    ['qdrant'],
  )
})

test('the example flow imports, and needs nothing but a key of OpenAI', () => {
  const file = new URL('../../examples/event-agent.json', import.meta.url)
  const { report } = take(JSON.parse(readFileSync(file, 'utf8')))
  assert.partialDeepStrictEqual(report, {
    supported: true,
    replaced: [],
    files: [],
    defaulted: [],
    ignored: [],
  })
  assert.deepEqual(
    report.credentials.map(({ name }) => name),
    ['chatOpenAI'],
  )
})

test('importExport() takes every flow of a whole instance, with its id, name and type', () => {
  const drawing = { nodes: [node('plainText')], edges: [] }
  const edge = { source: 'seqStart_0', target: 'seqEnd_0' }
  const old = { nodes: [node('seqStart'), node('seqEnd')], edges: [edge] }
  const flows = takeAll({
    ChatFlow: [{ id: 'a', name: 'A', flowData: JSON.stringify(drawing) }, { name: 'broken' }],
    AgentFlowV2: [{ id: 'b', name: 'B', type: 'AGENTFLOW', flowData: drawing }],
    AgentFlow: [{ id: 'c', name: 'C', flowData: old }],
    Tool: [{ name: 'weather' }],
  })
  assert.deepEqual(
    flows.map(({ id, name, type }) => [id, name, type]),
    [
      ['a', 'A', 'CHATFLOW'],
      ['b', 'B', 'AGENTFLOW'],
      ['c', 'C', 'AGENTFLOW'],
    ],
  )
  assert.equal(take(old).type, 'AGENTFLOW')
})

test('importExport() names a flow that is not here, and finds one that is here or in the same export', () => {
  const asks = (flow: string) => ({
    id: 'asking',
    flowData: { nodes: [node('executeFlowAgentflow', { executeFlowSelectedFlow: flow })] },
  })
  const [asking] = takeAll(asks('gone'))
  assert.equal(asking!.report.supported, false)
  assert.partialDeepStrictEqual(asking!.report.missing, [
    { nodeId: 'executeFlowAgentflow_0', input: 'executeFlowSelectedFlow', what: 'flow', named: 'gone' },
  ])
  assert.equal(take(asks('here'), [], ['here']).report.supported, true)
  const other = { id: 'other', flowData: { nodes: [] } }
  assert.equal(take({ ChatFlow: [asks('other'), other] }).report.supported, true)
})

test('importExport() names the stores, files and modules that are not here', () => {
  const store = [{ documentStore: '25429b8f:AI-Paper' }]
  for (const [name, inputs, missing] of [
    [
      'retrieverAgentflow',
      { retrieverKnowledgeDocumentStores: store },
      ['document store', '25429b8f:AI-Paper'],
    ],
    ['agentAgentflow', { agentKnowledgeDocumentStores: store }, ['document store', '25429b8f:AI-Paper']],
    [
      'agentAgentflow',
      { agentKnowledgeDocumentStores: JSON.stringify(store) },
      ['document store', '25429b8f:AI-Paper'],
    ],
    ['openAPIToolkit', { yamlFile: 'FILE-STORAGE::events.yaml' }, ['file', 'events.yaml']],
    ['openAPIToolkit', {}, ['file', '']],
    ['postgres', { host: '', database: 'd', tableName: 't' }, ['value', '']],
    ['textFile', { txtFile: 'FILE-STORAGE::["a.txt"]' }, ['file', 'a.txt']],
    [
      'customFunctionAgentflow',
      { customFunctionJavascriptFunction: "const { DataSource } = require('typeorm')" },
      ['module', 'typeorm'],
    ],
  ] as const) {
    const { report } = take({ nodes: [node(name, inputs)] })
    assert.deepEqual(
      report.missing.map(({ what, named }) => [what, named]),
      [missing],
      name,
    )
    assert.equal(report.supported, false, name)
  }
})

test('importExport() asks for one file where a toolkit has none, and for none where it has a link', () => {
  const { report } = take({ nodes: [node('openAPIToolkit')] })
  assert.deepEqual([report.files, report.missing.map(({ input }) => input)], [[], ['openApiFile']])
  const linked = take({
    nodes: [node('openAPIToolkit', { openApiLink: 'https://api.example/openapi.json' })],
  })
  assert.deepEqual([linked.report.files, linked.report.missing], [[], []])
})
