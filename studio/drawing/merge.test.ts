import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS as KINDS } from '../../test/support/studio-kinds.ts'
import { type Command, addNode, connect, moveNodes, removeNodes, renameNode, setInputs } from './commands.ts'
import { edgesOf, findNode, type FlowFile, inputsOf, type Json, nodesOf } from './flow-file.ts'
import { drawGraph } from './graph.ts'
import { mergeDrawings, type Side } from './merge.ts'

const EMPTY: FlowFile = { nodes: [], edges: [] }
const add = (file: FlowFile, name: string, x = 0) => addNode(file, KINDS.get(name)!, { x, y: 0 }).apply(file)
const run = (file: FlowFile, ...commands: Command[]) => commands.reduce((now, { apply }) => apply(now), file)
const line = (file: FlowFile, source: string, target: string, plug: string) => {
  const { nodes } = drawGraph(file, KINDS)
  const [from, to] = [source, target].map((id) => nodes.find((node) => node.id === id)!)
  return connect(from!, to!, to!.plugs.find(({ name }) => name === plug)!).apply(file)
}
const set = (file: FlowFile, id: string, name: string, value: Json) =>
  setInputs({ id, label: id }, { [name]: value }, { path: name, label: name }).apply(file)
const ids = (file: FlowFile) => nodesOf(file).map(({ id }) => id)
const value = (file: FlowFile, id: string, name: string) => inputsOf(findNode(file, id)!)[name]
const merge = (base: FlowFile, mine: FlowFile, theirs: FlowFile) => mergeDrawings(base, mine, theirs, KINDS)
const NO_CHOICES = new Map<string, Side>()

test('mergeDrawings() takes what only one side changed, and asks where both changed one input', () => {
  const base = add(add(EMPTY, 'splitter'), 'store', 300)
  const mine = run(set(base, 'splitter_0', 'chunkSize', 500), renameNode('store_0', 'My store'))
  const theirs = run(
    set(base, 'splitter_0', 'chunkSize', 700),
    moveNodes(new Map([['store_0', { x: 9, y: 9 }]]), 'move'),
  )
  const { items, apply } = merge(base, mine, theirs)
  assert.deepEqual(
    items.map(({ key, conflict, usual }) => [key, conflict, usual]),
    [
      ['splitter_0 input chunkSize', true, 'mine'],
      ['store_0 label', false, 'mine'],
      ['store_0 place', false, 'theirs'],
    ],
  )
  const merged = apply(NO_CHOICES)
  assert.equal(value(merged, 'splitter_0', 'chunkSize'), 500)
  assert.deepEqual(
    [findNode(merged, 'store_0')!.data.label, findNode(merged, 'store_0')!.position],
    ['My store', { x: 9, y: 9 }],
  )
  assert.equal(
    value(apply(new Map([['splitter_0 input chunkSize', 'theirs']])), 'splitter_0', 'chunkSize'),
    700,
  )
})

test('mergeDrawings() keeps two nodes that were added under one id, each with its lines', () => {
  const base = add(EMPTY, 'store')
  const mine = line(set(add(base, 'loader'), 'loader_0', 'usage', 'mine'), 'loader_0', 'store_0', 'document')
  const theirs = line(
    set(add(base, 'loader'), 'loader_0', 'usage', 'theirs'),
    'loader_0',
    'store_0',
    'document',
  )
  const { items, apply } = merge(base, mine, theirs)
  assert.ok(items.every(({ conflict }) => !conflict))
  const merged = apply(NO_CHOICES)
  assert.deepEqual(ids(merged), ['store_0', 'loader_0', 'loader_1'])
  assert.deepEqual(
    [value(merged, 'loader_0', 'usage'), value(merged, 'loader_1', 'usage')],
    ['theirs', 'mine'],
  )
  assert.deepEqual(value(merged, 'store_0', 'document'), [
    '{{loader_0.data.instance}}',
    '{{loader_1.data.instance}}',
  ])
  assert.deepEqual(
    drawGraph(merged, KINDS).connections.map(({ id }) => id),
    ['loader_0→store_0:document', 'loader_1→store_0:document'],
  )
  assert.equal(edgesOf(merged).length, 2)
})

test('mergeDrawings() keeps a node that one side removed and the other changed, unless it is chosen away', () => {
  const base = add(add(EMPTY, 'splitter'), 'store')
  const mine = run(base, removeNodes(['splitter_0']))
  const theirs = set(base, 'splitter_0', 'chunkSize', 700)
  const { items, apply } = merge(base, mine, theirs)
  assert.deepEqual(
    items.map(({ key, conflict, usual, mine, theirs }) => [key, conflict, usual, mine, theirs]),
    [['splitter_0 node', true, 'theirs', undefined, 'there']],
  )
  assert.deepEqual(ids(apply(NO_CHOICES)), ['splitter_0', 'store_0'])
  assert.deepEqual(ids(apply(new Map([['splitter_0 node', 'mine']]))), ['store_0'])
  // A node that the other side did not touch goes.
  assert.deepEqual(ids(merge(base, mine, base).apply(NO_CHOICES)), ['store_0'])
  assert.deepEqual(ids(merge(base, base, mine).apply(NO_CHOICES)), ['store_0'])
})

test('mergeDrawings() leaves no line to a node that is gone, and keeps what the studio does not know', () => {
  const base = line(add(add(EMPTY, 'loader'), 'store'), 'loader_0', 'store_0', 'document')
  const mine: FlowFile = { ...run(base, removeNodes(['loader_0'])), viewport: { x: 1, y: 2, zoom: 3 } }
  const theirs: FlowFile = { ...base, note: 'kept', nodes: [...base.nodes, 'no node'] }
  const merged = merge(base, mine, theirs).apply(NO_CHOICES)
  assert.deepEqual(merged.edges, [])
  assert.deepEqual(value(merged, 'store_0', 'document'), [])
  assert.deepEqual([merged.note, merged.viewport], ['kept', { x: 1, y: 2, zoom: 3 }])
  assert.ok(merged.nodes.includes('no node'))
})

test('mergeDrawings() of equal versions has nothing to choose and changes nothing', () => {
  const base = line(add(add(EMPTY, 'loader'), 'store'), 'loader_0', 'store_0', 'document')
  const { items, apply } = merge(EMPTY, base, structuredClone(base))
  assert.deepEqual(items, [])
  assert.deepEqual(apply(NO_CHOICES), base)
})
