import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS as KINDS } from '../../test/support/studio-kinds.ts'
import { type FlowFile, readFlowFile } from './flow-file.ts'
import { drawGraph, participants } from './graph.ts'
import { forCheck, isAgentFlow, wiredStores } from './problems.ts'

const node = (id: string, name: string, inputs: object = {}, more: object = {}) => ({
  id,
  data: { name, inputs, ...more },
})
const draw = (file: object) => drawGraph(readFlowFile(JSON.stringify(file)), KINDS)

const LOADING = {
  nodes: [
    node('s', 'store', { document: ['{{l.data.instance}}'], embeddings: '{{e.data.instance}}' }),
    node('l', 'loader', { textSplitter: '{{t.data.instance}}' }),
    node('t', 'splitter'),
    node('e', 'embeddings'),
    node('r', 'rerank', { baseRetriever: '{{s.data.instance}}' }),
  ],
}

test('drawGraph() shows a bare node with label, plugs and fields of its kind', () => {
  const { nodes } = draw(LOADING)
  const store = nodes[0]!
  assert.equal(store.label, 'store')
  assert.deepEqual(
    store.plugs.map(({ name, plugged }) => [name, plugged]),
    [
      ['document', ['l']],
      ['embeddings', ['e']],
    ],
  )
  assert.deepEqual(
    store.fields.map(({ name }) => name),
    ['topK'],
  )
})

test('drawGraph() reads a connection once, whether references, edges or both say it', () => {
  const edge = { id: 'e', source: 't', target: 'l', targetHandle: 'l-input-textSplitter-TextSplitter' }
  const onlyEdge = draw({ nodes: [node('l', 'loader'), node('t', 'splitter')], edges: [edge] })
  const both = draw({ ...LOADING, edges: [edge] })
  assert.deepEqual(
    onlyEdge.connections.map(({ id }) => id),
    ['t→l:textSplitter'],
  )
  assert.equal(both.connections.length, 4)
})

test('drawGraph() shows a node of another server with what its file declares', () => {
  const { nodes } = draw({
    nodes: [
      node(
        'p',
        'pinecone',
        {},
        {
          label: 'Pinecone',
          baseClasses: ['Pinecone'],
          inputAnchors: [{ name: 'embeddings', label: 'Embeddings', type: 'Embeddings' }],
          inputParams: [{ name: 'index', label: 'Index', type: 'string' }],
        },
      ),
    ],
  })
  assert.equal(nodes[0]!.known, false)
  assert.deepEqual(
    [...nodes[0]!.plugs, ...nodes[0]!.fields].map(({ label }) => label),
    ['Embeddings', 'Index'],
  )
})

test('participants() are a node and all that it is built from, the node last', () => {
  assert.deepEqual(
    participants(draw(LOADING), 's').map(({ id }) => id),
    ['t', 'l', 'e', 's'],
  )
})

test('wiredStores() are stores with a document loader', () => {
  assert.deepEqual(
    wiredStores(draw(LOADING)).map(({ id }) => id),
    ['s'],
  )
  const lonely = draw({ nodes: [node('s', 'store')] })
  assert.deepEqual(wiredStores(lonely), [])
})

test('forCheck() leaves out the content of long files, and nothing else', () => {
  const long = `data:text/plain;base64,${'QUJD'.repeat(10_000)},filename:a.txt`
  const file = {
    nodes: [node('l', 'loader', { file: JSON.stringify([long, long]), usage: 'x' })],
  } as unknown as FlowFile
  assert.deepEqual(forCheck(file), {
    nodes: [
      node('l', 'loader', {
        file: JSON.stringify(Array(2).fill('data:text/plain;base64,AAAA,filename:a.txt')),
        usage: 'x',
      }),
    ],
  })
})

test('isAgentFlow() is true once there is a step', () => {
  assert.equal(isAgentFlow(draw(LOADING)), false)
  assert.equal(
    isAgentFlow(draw({ nodes: [node('a', 'startAgentflow', {}, { category: 'Agent Flows' })] })),
    true,
  )
})

test('readFlowFile() takes an empty text as an empty drawing and says what is wrong with others', () => {
  assert.deepEqual(readFlowFile(''), { nodes: [], edges: [] })
  assert.throws(() => readFlowFile('{'), /not JSON/)
  assert.throws(() => readFlowFile('[]'), /no list of nodes/)
})
