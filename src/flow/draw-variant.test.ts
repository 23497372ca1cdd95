import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallCatalog, smallDrawing } from '../../test/support/small-catalog.ts'
import { drawVariant } from './draw-variant.ts'

const FLOW = {
  id: 'f',
  flowData: JSON.stringify(smallDrawing({ splitter_0: { chunkSize: 400 } })),
  apiConfig: {},
}

type Drawn = { nodes: { id: string; data: { inputs: Record<string, unknown> } }[] }

const inputsOf = (flow: { flowData: string }, id: string) =>
  (JSON.parse(flow.flowData) as Drawn).nodes.find((node) => node.id === id)!.data.inputs

test('drawVariant() sets an input of every node that has it, or of one [compare:variants]', () => {
  const inputs = { chunkSize: 600, 'store_0.topK': 3, url: 'http://localhost/secret' }
  const { flow, changes } = drawVariant(smallCatalog, FLOW, { name: 'v', inputs })
  assert.equal(inputsOf(flow, 'splitter_0').chunkSize, 600)
  assert.equal(inputsOf(flow, 'store_0').topK, 3)
  assert.deepEqual(
    changes.map(({ nodeId, input, from, to }) => [nodeId, input, from, to]),
    [
      ['splitter_0', 'chunkSize', 400, 600],
      ['store_0', 'topK', 4, 3],
      ['loader_0', 'url', null, null],
    ],
  )
  assert.deepEqual(drawVariant(smallCatalog, FLOW, { name: 'v' }), { flow: FLOW, changes: [] })
  assert.equal(inputsOf(FLOW, 'splitter_0').chunkSize, 400)
})

test('drawVariant() refuses what no node has, no value of an input, and files, by the name of the variant [compare:refused]', () => {
  const refused = (inputs: Record<string, string | number>, message: RegExp) =>
    assert.throws(() => drawVariant(smallCatalog, FLOW, { name: 'v', inputs }), {
      code: 'variant_invalid',
      message,
    })
  refused({ chunkSise: 9 }, /variant v .* no node has the input chunkSise; did you mean chunkSize\?/)
  refused({ 'store_9.topK': 9 }, /no node store_9 takes part/)
  refused({ chunkSize: 'many' }, /Chunk Size cannot be that/)
  refused({ txtFile: 'FILE-STORAGE::a.txt' }, /a secret or a file/)
})
