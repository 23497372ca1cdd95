import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS as KINDS } from '../../test/support/studio-kinds.ts'
import { addNode, connect, connectSteps } from './commands.ts'
import { kindsThatFit, plugsThatTake, refusal, stepRefusal } from './fit.ts'
import type { FlowFile } from './flow-file.ts'
import { drawGraph } from './graph.ts'

const graphOf = (...names: string[]) => {
  let file: FlowFile = { nodes: [], edges: [] }
  for (const name of names) file = addNode(file, KINDS.get(name)!, { x: 0, y: 0 }).apply(file)
  return { file, graph: drawGraph(file, KINDS) }
}
const node = (graph: ReturnType<typeof drawGraph>, id: string) => graph.nodes.find((one) => one.id === id)!

test('refusal() is undefined where a node fits, and names both sides where it does not', () => {
  const { graph } = graphOf('loader', 'splitter', 'store')
  assert.equal(refusal(graph, node(graph, 'splitter_0'), node(graph, 'loader_0'), 'textSplitter'), undefined)
  assert.equal(
    refusal(graph, node(graph, 'splitter_0'), node(graph, 'store_0'), 'embeddings'),
    'embeddings of store takes Embeddings; splitter is Recursive, TextSplitter',
  )
})

test('refusal() refuses a node for itself, a second time, and in a circle', () => {
  const { file, graph } = graphOf('store', 'rerank', 'rerank')
  const [store, rerank] = [node(graph, 'store_0'), node(graph, 'rerank_0')]
  assert.match(refusal(graph, store, store, 'document')!, /to itself/)
  const after = drawGraph(connect(store, rerank, rerank.plugs[0]!).apply(file), KINDS)
  assert.match(refusal(after, node(after, 'store_0'), node(after, 'rerank_0'), 'baseRetriever')!, /already/)
  const loop = {
    nodes: after.nodes.map((one) =>
      one.id === 'store_0'
        ? { ...one, plugs: [{ ...one.plugs[0]!, name: 'base', type: 'BaseRetriever' }] }
        : one,
    ),
    connections: after.connections,
  }
  assert.match(refusal(loop, node(loop, 'rerank_0'), node(loop, 'store_0'), 'base')!, /circle/)
})

test('stepRefusal() refuses a step before the start, a line that is there, and a circle', () => {
  const { file, graph } = graphOf('startAgentflow', 'llmAgentflow', 'llmAgentflow')
  const [start, one, two] = ['startAgentflow_0', 'llmAgentflow_0', 'llmAgentflow_1'].map((id) =>
    node(graph, id),
  )
  assert.equal(stepRefusal(graph, start!, one!, 0), undefined)
  assert.match(stepRefusal(graph, one!, start!, 0)!, /before the start/)
  const after = drawGraph(connectSteps(one!, two!, 0).apply(file), KINDS)
  assert.match(stepRefusal(after, one!, two!, 0)!, /already/)
  assert.match(stepRefusal(after, two!, one!, 0)!, /circle/)
})

test('kindsThatFit() and plugsThatTake() find what can be connected', () => {
  const loader = KINDS.get('loader')!
  assert.deepEqual(
    kindsThatFit(KINDS, loader.inputs[0]!).map(({ name }) => name),
    ['splitter'],
  )
  assert.deepEqual(
    plugsThatTake(KINDS.get('store')!, loader).map(({ name }) => name),
    ['document'],
  )
})
