import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS as KINDS } from '../../test/support/studio-kinds.ts'
import {
  addFedBy,
  addNode,
  addPlugged,
  connect,
  connectSteps,
  credentialOf,
  disconnect,
  moveNodes,
  removeNodes,
  renameNode,
  setInputs,
} from './commands.ts'
import { edgesOf, findNode, type FlowFile, inputsOf, type JsonObject } from './flow-file.ts'
import { drawGraph } from './graph.ts'

const EMPTY: FlowFile = { nodes: [], edges: [] }

/** A file with one node of each of these kinds, in one row. */
function fileOf(...names: string[]): FlowFile {
  return names.reduce(
    (file, name, index) => addNode(file, KINDS.get(name)!, { x: index * 300, y: 0 }).apply(file),
    EMPTY,
  )
}

const drawn = (file: FlowFile, id: string) => drawGraph(file, KINDS).nodes.find((node) => node.id === id)!
const plugOf = (file: FlowFile, id: string, name: string) =>
  drawn(file, id).plugs.find((plug) => plug.name === name)!

const plugged = (file: FlowFile, source: string, target: string, plug: string) =>
  connect(drawn(file, source), drawn(file, target), plugOf(file, target, plug)).apply(file)

test('addNode() writes what a flow file of Flowise holds, and numbers nodes of one kind', () => {
  const file = fileOf('splitter', 'splitter')
  assert.deepEqual(
    drawGraph(file, KINDS).nodes.map(({ id }) => id),
    ['splitter_0', 'splitter_1'],
  )
  const { data, type } = findNode(file, 'splitter_0')!
  assert.equal(type, 'customNode')
  assert.deepEqual(data.inputs, { chunkSize: 1000 })
  assert.equal((data.inputParams as JsonObject[])[0]!.id, 'splitter_0-input-chunkSize-number')
  assert.equal(
    (data.outputAnchors as JsonObject[])[0]!.id,
    'splitter_0-output-splitter-Recursive|TextSplitter',
  )
})

test('connect() writes the reference and the edge, and disconnect() removes both', () => {
  const before = fileOf('loader', 'splitter')
  const file = plugged(before, 'splitter_0', 'loader_0', 'textSplitter')
  assert.equal(inputsOf(findNode(file, 'loader_0')!).textSplitter, '{{splitter_0.data.instance}}')
  assert.deepEqual(
    edgesOf(file).map(({ sourceHandle, targetHandle }) => [sourceHandle, targetHandle]),
    [['splitter_0-output-splitter-Recursive|TextSplitter', 'loader_0-input-textSplitter-TextSplitter']],
  )
  const [line] = drawGraph(file, KINDS).connections
  const after = disconnect(line!, 'Loader → Store').apply(file)
  assert.deepEqual(edgesOf(after), [])
  assert.equal(inputsOf(findNode(after, 'loader_0')!).textSplitter, '')
})

test('connect() replaces the node of a plug that takes one, and adds to a plug that takes several', () => {
  let file = fileOf('loader', 'loader', 'splitter', 'splitter', 'store')
  file = plugged(file, 'splitter_0', 'loader_0', 'textSplitter')
  file = plugged(file, 'splitter_1', 'loader_0', 'textSplitter')
  assert.deepEqual(plugOf(file, 'loader_0', 'textSplitter').plugged, ['splitter_1'])
  file = plugged(file, 'loader_0', 'store_0', 'document')
  file = plugged(file, 'loader_1', 'store_0', 'document')
  assert.deepEqual(plugOf(file, 'store_0', 'document').plugged, ['loader_0', 'loader_1'])
  assert.equal(edgesOf(file).length, 3)
})

test('addPlugged() adds a node and connects it in one change', () => {
  const file = fileOf('store')
  const plug = plugOf(file, 'store_0', 'embeddings')
  const command = addPlugged(file, KINDS.get('embeddings')!, { x: 0, y: 0 }, drawn(file, 'store_0'), plug)
  assert.deepEqual(plugOf(command.apply(file), 'store_0', 'embeddings').plugged, [command.id])
})

test('addFedBy() adds a node that takes a node which is there', () => {
  const file = fileOf('loader')
  const plug = KINDS.get('store')!.inputs[0]!
  const command = addFedBy(file, KINDS.get('store')!, { x: 0, y: 0 }, drawn(file, 'loader_0'), plug)
  assert.deepEqual(plugOf(command.apply(file), command.id, 'document').plugged, ['loader_0'])
})

test('removeNodes() leaves neither a line nor a reference to what it removed', () => {
  let file = fileOf('loader', 'splitter', 'store')
  file = plugged(file, 'splitter_0', 'loader_0', 'textSplitter')
  file = plugged(file, 'loader_0', 'store_0', 'document')
  const after = removeNodes(['loader_0']).apply(file)
  assert.deepEqual(edgesOf(after), [])
  assert.deepEqual(inputsOf(findNode(after, 'store_0')!).document, [])
  assert.doesNotMatch(JSON.stringify(after), /loader_0/)
})

test('removeNodes() of an iteration removes the steps that stand in it', () => {
  const file = {
    nodes: [
      { id: 'iteration_0', type: 'iteration', data: { name: 'iterationAgentflow' } },
      { id: 'llm_0', type: 'agentFlow', parentNode: 'iteration_0', data: { name: 'llmAgentflow' } },
      { id: 'llm_1', type: 'agentFlow', data: { name: 'llmAgentflow' } },
    ],
    edges: [],
  }
  assert.deepEqual(
    drawGraph(removeNodes(['iteration_0']).apply(file), KINDS).nodes.map(({ id }) => id),
    ['llm_1'],
  )
})

test('connectSteps() writes the number of the way out only where a step has several', () => {
  const file = fileOf('startAgentflow', 'humanInputAgentflow', 'llmAgentflow')
  const start = connectSteps(drawn(file, 'startAgentflow_0'), drawn(file, 'humanInputAgentflow_0'), 0).apply(
    file,
  )
  const both = connectSteps(drawn(file, 'humanInputAgentflow_0'), drawn(file, 'llmAgentflow_0'), 1).apply(
    start,
  )
  assert.deepEqual(
    edgesOf(both).map(({ sourceHandle, targetHandle }) => [sourceHandle, targetHandle]),
    [
      ['startAgentflow_0-output-startAgentflow', 'humanInputAgentflow_0'],
      ['humanInputAgentflow_0-output-1', 'llmAgentflow_0'],
    ],
  )
  assert.deepEqual(
    drawGraph(both, KINDS).connections.map(({ id }) => id),
    ['startAgentflow_0#0→humanInputAgentflow_0', 'humanInputAgentflow_0#1→llmAgentflow_0'],
  )
})

test('setInputs() keeps a credential beside the inputs, as Flowise does', () => {
  const file = fileOf('embeddings')
  const node = drawn(file, 'embeddings_0')
  const after = setInputs(node, { credential: 'an-id' }, { path: 'credential', label: 'Key' }).apply(file)
  const changed = findNode(after, 'embeddings_0')!
  assert.equal(changed.data.credential, 'an-id')
  assert.ok(!('credential' in inputsOf(changed)))
  assert.equal(credentialOf(changed), 'an-id')
})

test('commands leave all other members of the file as they are', () => {
  const file: FlowFile = {
    description: 'mine',
    viewport: { x: 1, y: 2, zoom: 0.5 },
    nodes: [
      7,
      {
        id: 'a',
        position: { x: 0, y: 0 },
        colour: 'red',
        data: { name: 'loader', label: 'A', note: 1, inputs: { other: 2 } },
      },
    ],
  }
  let after = moveNodes(new Map([['a', { x: 5, y: 6 }]])).apply(file)
  after = renameNode('a', 'B').apply(after)
  assert.deepEqual(after, {
    description: 'mine',
    viewport: { x: 1, y: 2, zoom: 0.5 },
    nodes: [
      7,
      {
        id: 'a',
        position: { x: 5, y: 6 },
        colour: 'red',
        data: { name: 'loader', label: 'B', note: 1, inputs: { other: 2 } },
      },
    ],
  })
})
