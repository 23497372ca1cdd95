import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS as KINDS } from '../../test/support/studio-kinds.ts'
import type { FlowFile } from './flow-file.ts'
import { drawGraph } from './graph.ts'
import { cardSize } from './card-size.ts'
import { placeMissing, tidyPositions } from './layout.ts'

const bare = (id: string, name: string, inputs: Record<string, string> = {}) => ({
  id,
  data: { name, inputs },
})
const BARE: FlowFile = {
  nodes: [
    bare('store', 'store', {
      document: '{{loader.data.instance}}',
      embeddings: '{{embeddings.data.instance}}',
    }),
    bare('loader', 'loader', { textSplitter: '{{splitter.data.instance}}' }),
    bare('embeddings', 'embeddings'),
    bare('splitter', 'splitter'),
  ],
}

test('placeMissing() places what feeds a node on its left, without overlap', () => {
  const graph = drawGraph(placeMissing(BARE, KINDS), KINDS)
  const at = new Map(graph.nodes.map((node) => [node.id, node]))
  for (const { source, target } of graph.connections)
    assert.ok(at.get(source)!.position.x + 240 < at.get(target)!.position.x, `${source} → ${target}`)
  for (const one of graph.nodes)
    for (const other of graph.nodes) {
      if (one.id >= other.id || one.position.x !== other.position.x) continue
      const [upper, lower] = one.position.y < other.position.y ? [one, other] : [other, one]
      assert.ok(upper.position.y + cardSize(upper).height <= lower.position.y, `${one.id} over ${other.id}`)
    }
})

test('placeMissing() gives back the same file where every node has a place', () => {
  const placed = placeMissing(BARE, KINDS)
  assert.equal(placeMissing(placed, KINDS), placed)
})

test('placeMissing() moves no node that has a place', () => {
  const [store, ...rest] = BARE.nodes as { id: string }[]
  const file = { nodes: [{ ...store, position: { x: 900, y: 10 } }, ...rest] } as FlowFile
  const { nodes } = drawGraph(placeMissing(file, KINDS), KINDS)
  assert.deepEqual(nodes.find(({ id }) => id === 'store')!.position, { x: 900, y: 10 })
  assert.ok(nodes.every(({ id, position }) => id === 'store' || position.y >= 10))
})

test('tidyPositions() leaves out what stands in an iteration', () => {
  const file: FlowFile = {
    nodes: [
      { id: 'iteration', type: 'iteration', data: { name: 'iterationAgentflow' } },
      { id: 'inner', type: 'agentFlow', parentNode: 'iteration', data: { name: 'llmAgentflow' } },
    ],
  }
  assert.deepEqual([...tidyPositions(drawGraph(file, KINDS)).keys()], ['iteration'])
})
