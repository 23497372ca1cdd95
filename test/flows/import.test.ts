import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalog } from '../../src/nodes/catalog.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { importFlow } from '../../src/flow/import/import.ts'

const node = (name: string, inputs: JsonObject = {}, more: JsonObject = {}) => ({
  id: `${name}_0`,
  type: 'customNode',
  data: { id: `${name}_0`, name, label: name, inputs, ...more },
})
const take = (exported: unknown, credentials: string[] = []) =>
  importFlow(exported, { catalog, credentials: new Set(credentials) })
const inputsOf = (flowData: JsonObject, id: string) =>
  (flowData.nodes as { id: string; data: { inputs: JsonObject } }[]).find((one) => one.id === id)!.data.inputs

for (const [guise, exported] of [
  ['the file of the editor', { nodes: [node('plainText')], edges: [] }],
  ['a row, its drawing as text', { name: 'Mine', flowData: JSON.stringify({ nodes: [node('plainText')] }) }],
  ['a row, its drawing as an object', { flowData: { nodes: [node('plainText')] } }],
  ['a whole instance with one flow', { ChatFlow: [{ flowData: { nodes: [node('plainText')] } }], Tool: [] }],
] as const)
  test(`importFlow() takes ${guise}`, () => {
    const { report, flowData } = take(exported)
    assert.deepEqual([report.nodes, report.supported], [1, true])
    assert.equal((flowData.nodes as unknown[]).length, 1)
  })

for (const [what, exported, reason] of [
  ['a list', [], /there is no flow in it/],
  ['an object without nodes', { edges: [] }, /there is no flow in it/],
  ['text for a drawing that is none', { flowData: 'x' }, /there is no flow in it/],
  [
    'several flows',
    {
      ChatFlow: [
        { name: 'A', flowData: { nodes: [] } },
        { name: 'B', flowData: { nodes: [] } },
      ],
    },
    /holds 2 flows \(A, B\)/,
  ],
  [
    'two nodes of one id',
    { nodes: [node('plainText'), node('plainText')] },
    /two nodes have the id plainText_0/,
  ],
] as const)
  test(`importFlow() refuses ${what}`, () => {
    assert.throws(
      () => take(exported),
      (error: unknown) =>
        error instanceof SluiceError && error.code === 'flow_invalid' && reason.test(error.message),
    )
  })

test('importFlow() makes memoryVectorStore and faiss the store in the box, and keeps what is plugged in', () => {
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

test('importFlow() replaces a store within a node of an agent flow as well', () => {
  const knowledge = [{ vectorStore: 'faiss', vectorStoreConfig: { vectorStore: 'faiss', topK: 3 } }]
  const { report, flowData } = take({ nodes: [node('agentAgentflow', { knowledge })] })
  assert.partialDeepStrictEqual(report.replaced, [{ within: 'vectorStore', name: 'faiss' }])
  assert.deepEqual(inputsOf(flowData, 'agentAgentflow_0').knowledge, [
    { vectorStore: 'builtInVectorStore', vectorStoreConfig: { vectorStore: 'builtInVectorStore', topK: 3 } },
  ])
})

test('importFlow() names nodes that are not here, and passes over notes', () => {
  const note = { ...node('stickyNote'), type: 'stickyNote' }
  const { report } = take({ nodes: [node('pinecone'), note, node('plainText')] })
  assert.equal(report.supported, false)
  assert.deepEqual(report.unsupported, [{ nodeId: 'pinecone_0', label: 'pinecone', name: 'pinecone' }])
})

test('importFlow() names the credentials and the files that an export leaves behind', () => {
  const foreign = node('openAIEmbeddings', {}, { credential: 'of-another-server' })
  const { report, flowData } = take({ nodes: [foreign, node('pdfFile')] })
  assert.partialDeepStrictEqual(report.credentials, [
    { nodeId: 'openAIEmbeddings_0', input: 'credential', kinds: ['openAIApi'] },
  ])
  assert.partialDeepStrictEqual(report.files, [{ nodeId: 'pdfFile_0', input: 'pdfFile', accepts: '.pdf' }])
  assert.equal(JSON.stringify(flowData).includes('of-another-server'), false)
})

test('importFlow() keeps a credential that this server holds', () => {
  const { report, flowData } = take({ nodes: [node('openAIEmbeddings', {}, { credential: 'here' })] }, [
    'here',
  ])
  assert.deepEqual(report.credentials, [])
  assert.equal(JSON.stringify(flowData).includes('here'), true)
})

test('importFlow() lets the default stand where a value cannot be read, and says so', () => {
  const { report, flowData } = take({
    nodes: [node('recursiveCharacterTextSplitter', { chunkSize: 'many' })],
  })
  assert.partialDeepStrictEqual(report.defaulted, [
    { input: 'chunkSize', reason: 'expected a number, received "many"', value: 1000 },
  ])
  assert.equal(inputsOf(flowData, 'recursiveCharacterTextSplitter_0').chunkSize, '')
})

test('importFlow() names inputs that the node here does not have, and leaves the export as it was', () => {
  const exported = { nodes: [node('builtInEmbeddings', { proxyUrl: 'http://x', empty: '' })] }
  const before = structuredClone(exported)
  assert.partialDeepStrictEqual(take(exported).report.ignored, [{ input: 'proxyUrl' }])
  assert.deepEqual(exported, before)
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
