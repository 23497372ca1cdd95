import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS } from '../../test/support/studio-kinds.ts'
import { connectOffers, newNodeOffers } from './connect-offers.ts'
import { edgesOf, type FlowFile } from './flow-file.ts'
import { drawGraph } from './graph.ts'

const file = {
  nodes: ['loader', 'splitter', 'store'].map((name) => ({
    id: `${name}_0`,
    position: { x: 0, y: 0 },
    data: { name, inputs: {} },
  })),
} as FlowFile
const graph = drawGraph(file, STUDIO_KINDS)
const nodeOf = (id: string) => graph.nodes.find((node) => node.id === id)!

test('connectOffers() has what fits first, and a reason for all that does not', () => {
  const offers = connectOffers(graph, nodeOf('loader_0'))
  assert.deepEqual(
    offers.map(({ label, command }) => [label, command !== undefined]),
    [
      ['splitter → textSplitter of loader', true],
      ['loader → document of store', true],
      ['store → textSplitter of loader', false],
      ['loader → embeddings of store', false],
    ],
  )
  assert.match(offers[3]!.reason!, /takes Embeddings/)
  assert.equal(edgesOf(offers[1]!.command!.apply(file))[0]!.source, 'loader_0')
})

test('newNodeOffers() are kinds for the plugs of a node, and kinds that take it', () => {
  const place = { x: 0, y: 0 }
  const offers = newNodeOffers(file, STUDIO_KINDS, nodeOf('loader_0'), { before: place, behind: place })
  assert.deepEqual(
    offers.map(({ label }) => label),
    ['New splitter → textSplitter of loader', 'loader → document of a new store'],
  )
})
