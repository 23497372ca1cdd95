import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS } from '../../../../test/support/studio-kinds.ts'
import { textOffers } from './text-offers.ts'

const TEXT = `nodes:
  splitter_0:
    node: splitter
    inputs:
      chunkSize: 600

  loader_0:
    node: loader
    inputs:
      textSplitter: HERE
`
/** What is offered at the mark HERE. */
function offered(text: string) {
  const at = text.indexOf('HERE')
  return textOffers(text.replace('HERE', ''), at, STUDIO_KINDS)
}
const labels = (text: string) => offered(text)?.offers.map(({ label }) => label) ?? []

test('textOffers() offers the nodes that fit where another node is plugged in', () => {
  assert.deepEqual(labels(TEXT), ['<- splitter_0'])
  assert.deepEqual(labels(TEXT.replace('HERE', '<- splHERE')), ['<- splitter_0'])
})

test('textOffers() offers the nodes that fit in a list', () => {
  const store = `  store_0:\n    node: store\n    inputs:\n      document:\n        - HERE\n`
  assert.deepEqual(labels(TEXT.replace('HERE', '') + store), ['<- loader_0'])
})

test('textOffers() offers kinds of nodes behind node:', () => {
  const found = labels('nodes:\n  a_0:\n    node: loHERE\n')
  assert.deepEqual(found, [...STUDIO_KINDS.keys()])
})

test('textOffers() offers the inputs of the node that are not there yet', () => {
  const found = labels(TEXT.replace('textSplitter: HERE', 'usage: perPage\n      HERE'))
  assert.deepEqual(found, ['textSplitter', 'file'])
})

test('textOffers() offers the options of an input', () => {
  assert.deepEqual(labels(TEXT.replace('textSplitter: HERE', 'usage: HERE')), ['perPage'])
})

test('textOffers() offers the sections at the beginning of a line, and what a node has', () => {
  assert.deepEqual(labels('HERE'), ['nodes', 'lines', 'places', 'kept'])
  assert.ok(labels('nodes:\n  a_0:\n    HERE').includes('inputs'))
})

test('textOffers() says where the begun word begins', () => {
  const text = 'nodes:\n  a_0:\n    node: loHERE\n'
  assert.equal(offered(text)!.from, text.indexOf('loHERE'))
})

test('textOffers() offers nothing in the middle of a text', () => {
  assert.equal(offered('nodes:\n  a_0:\n    label: some HERE'), undefined)
})
