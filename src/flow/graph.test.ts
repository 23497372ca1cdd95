import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawn, plug } from '../../test/support/small-catalog.ts'
import { SluiceError } from '../kit/errors.ts'
import { pluggedInto, readGraph, referenceOf } from './graph.ts'

/** An edge as Flowise draws it: both handles end in classes that differ between versions. */
const edge = (source: string, target: string, anchor: string) => ({
  source,
  sourceHandle: `${source}-output-document-Document|json`,
  target,
  targetHandle: `${target}-input-${anchor}-Document`,
  type: 'buttonedge',
  data: { label: '' },
})

test('readGraph() reads a drawing as text or as an object, and keeps inputs as they are written', () => {
  const inputs = { chunkSize: '800', separators: '', textSplitter: plug('s_0'), metadata: '{"team":"ops"}' }
  const drawing = { nodes: [drawn('textFile_0', inputs, 'Text File')], edges: [], viewport: { x: 0 } }
  for (const data of [drawing, JSON.stringify(drawing)])
    assert.deepEqual(readGraph(data).nodes.get('textFile_0'), {
      id: 'textFile_0',
      name: 'textFile',
      label: 'Text File',
      category: 'x',
      inputs,
    })
})

test('readGraph() passes over sticky notes, broken nodes and edges to nowhere', () => {
  const note = {
    id: 'stickyNote_0',
    type: 'stickyNote',
    data: { name: 'stickyNote', inputs: { note: 'hi' } },
  }
  const { nodes } = readGraph({
    nodes: [note, null, 'x', { id: 'a' }, { id: 'b', data: {} }, drawn('loader_0')],
    edges: [null, {}, edge('none', 'loader_0', 'x'), edge('loader_0', 'none', 'x')],
  })
  assert.deepEqual([...nodes.keys()], ['loader_0'])
  assert.deepEqual(nodes.get('loader_0')!.inputs, {})
})

test('readGraph() reads what no text can be made of as no text', () => {
  const odd = { toString: 1 }
  const { nodes, steps } = readGraph({
    nodes: [{ data: { id: odd, name: 'a' } }],
    edges: [{ source: odd, target: odd, sourceHandle: odd, targetHandle: 'x' }],
  })
  assert.deepEqual([[...nodes.keys()], steps], [[''], []])
})

test('readGraph() does without edges, labels, categories and inputs', () => {
  const { nodes } = readGraph({ nodes: [{ data: { id: 'x_0', name: 'x' } }] })
  assert.deepEqual(nodes.get('x_0'), { id: 'x_0', name: 'x', label: 'x', category: '', inputs: {} })
})

for (const [name, inputs, edges, expected] of [
  ['an empty text', { in: '' }, ['a'], ['a']],
  ['nothing', {}, ['a'], ['a']],
  ['null', { in: null }, ['a'], ['a']],
  ['an empty list', { in: [] }, ['a', 'b'], ['a', 'b']],
  ['an empty text where several are drawn', { in: '' }, ['a', 'b'], ['a', 'b']],
  ['a list that lacks one', { in: [plug('a')] }, ['a', 'b'], ['a', 'b']],
  ['a value already', { in: plug('b') }, ['a'], ['b']],
] as [string, Record<string, unknown>, string[], string[]][])
  test(`readGraph() fills from the edges an input that holds ${name}`, () => {
    const { nodes } = readGraph({
      nodes: [drawn('a'), drawn('b'), drawn('target_0', inputs)],
      edges: edges.map((source) => edge(source, 'target_0', 'in')),
    })
    assert.deepEqual(pluggedInto(nodes.get('target_0')!.inputs.in), expected)
  })

test('readGraph() refuses what is no drawing, and two nodes of one id', () => {
  for (const data of [
    '',
    'null',
    '[]',
    { edges: [] },
    { nodes: {} },
    { nodes: [drawn('a_0'), drawn('a_0')] },
  ])
    assert.throws(
      () => readGraph(data),
      (error: unknown) => error instanceof SluiceError && error.code === 'flow_invalid',
    )
})

test('referenceOf() reads a reference and nothing else', () => {
  const rows: [unknown, string | undefined][] = [
    ['{{textFile_0.data.instance}}', 'textFile_0'],
    [' {{ textFile_0.data.instance }} ', 'textFile_0'],
    ['see {{textFile_0.data.instance}}', undefined],
    ['{{question}}', undefined],
    [['{{textFile_0.data.instance}}'], undefined],
    [7, undefined],
  ]
  for (const [value, expected] of rows) assert.equal(referenceOf(value), expected, JSON.stringify(value))
})
