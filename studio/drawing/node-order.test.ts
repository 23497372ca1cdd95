import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS } from '../../test/support/studio-kinds.ts'
import type { FlowFile, JsonObject } from './flow-file.ts'
import { drawGraph } from './graph.ts'
import { nodeOrder, nodeTowards } from './node-order.ts'

const node = (id: string, name: string, y: number, inputs: JsonObject = {}): JsonObject => ({
  id,
  position: { x: 0, y },
  data: { name, inputs },
})
const graphOf = (nodes: JsonObject[]) => drawGraph({ nodes } as FlowFile, STUDIO_KINDS)
const LOADING = graphOf([
  { ...node('n', 'stickyNote', 0), type: 'stickyNote' },
  node('s', 'store', 0, { document: ['{{l.data.instance}}'], embeddings: '{{e.data.instance}}' }),
  node('e', 'embeddings', 300),
  node('l', 'loader', 100, { textSplitter: '{{t.data.instance}}' }),
  node('t', 'splitter', 200),
])
const ids = (graph = LOADING) => nodeOrder(graph).map(({ id }) => id)

test('nodeOrder() puts what feeds a node before it, others from top to bottom, notes last', () => {
  assert.deepEqual(ids(), ['t', 'l', 'e', 's', 'n'])
})

test('nodeOrder() has every node of a circle once', () => {
  const circle = graphOf([
    node('a', 'loader', 0, { textSplitter: '{{b.data.instance}}' }),
    node('b', 'loader', 1, { textSplitter: '{{a.data.instance}}' }),
  ])
  assert.deepEqual(ids(circle).sort(), ['a', 'b'])
})

test('nodeTowards() follows lines to the left and right, and the order up and down', () => {
  const order = nodeOrder(LOADING)
  const towards = (id: string, direction: Parameters<typeof nodeTowards>[3]) =>
    nodeTowards(LOADING, order, id, direction)?.id
  assert.deepEqual(
    [towards('s', 'left'), towards('l', 'right'), towards('l', 'left'), towards('t', 'left')],
    ['l', 's', 't', undefined],
  )
  assert.deepEqual([towards('l', 'down'), towards('l', 'up'), towards('t', 'up')], ['e', 't', undefined])
})
