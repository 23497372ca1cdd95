import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawFlow } from '../../test/support/flow-drawing.ts'
import { catalog } from '../nodes/catalog.ts'
import { drawVariant } from './draw-variant.ts'

const { flowData } = drawFlow({ splitter: { chunkSize: 400 }, loaders: { fileLoader: {}, textFile: {} } })
const FLOW = { id: 'f', flowData: JSON.stringify(flowData), apiConfig: {} }

type Drawn = { nodes: { id: string; data: { inputs: Record<string, unknown> } }[] }

const inputsOf = (flow: { flowData: string }, id: string) =>
  (JSON.parse(flow.flowData) as Drawn).nodes.find((node) => node.id === id)!.data.inputs

test('drawVariant() sets an input of every node that has it, or of one', () => {
  const inputs = { chunkSize: 600, 'builtInVectorStore_0.topK': 3 }
  const { flow, changes } = drawVariant(catalog, FLOW, { name: 'v', inputs })
  assert.equal(inputsOf(flow, 'recursiveCharacterTextSplitter_0').chunkSize, 600)
  assert.equal(inputsOf(flow, 'builtInVectorStore_0').topK, 3)
  assert.deepEqual(
    changes.map(({ nodeId, input, from, to }) => [nodeId, input, from, to]),
    [
      ['recursiveCharacterTextSplitter_0', 'chunkSize', 400, 600],
      ['builtInVectorStore_0', 'topK', changes[1]!.from, 3],
    ],
  )
  assert.deepEqual(drawVariant(catalog, FLOW, { name: 'v' }), { flow: FLOW, changes: [] })
  assert.equal(inputsOf(FLOW, 'recursiveCharacterTextSplitter_0').chunkSize, 400)
})

test('drawVariant() refuses what no node has, no value of an input, secrets and files, by the name of the variant', () => {
  const refused = (inputs: Record<string, string | number>, message: RegExp) =>
    assert.throws(() => drawVariant(catalog, FLOW, { name: 'v', inputs }), {
      code: 'variant_invalid',
      message,
    })
  refused({ chunkSise: 9 }, /variant v .* no node has the input chunkSise; did you mean chunkSize\?/)
  refused({ 'builtInVectorStore_9.topK': 9 }, /no node builtInVectorStore_9 takes part/)
  refused({ chunkSize: 'many' }, /Chunk Size cannot be that/)
  refused({ txtFile: 'FILE-STORAGE::a.txt' }, /a secret or a file/)
})
