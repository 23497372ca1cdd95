import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS as KINDS } from '../../../test/support/studio-kinds.ts'
import { findKinds } from './find-kinds.ts'

const names = (search: string, agentFlow = false) =>
  findKinds(KINDS, search, agentFlow).flatMap(({ kinds }) => kinds.map(({ name }) => name))

test('findKinds() offers steps for agent flows, and all others for chat flows', () => {
  assert.deepEqual(names('', true).sort(), ['humanInputAgentflow', 'llmAgentflow', 'startAgentflow'])
  assert.deepEqual(
    findKinds(KINDS, '', false).map(({ category }) => category),
    ['Document Loaders', 'Embeddings', 'Retrievers', 'Text Splitters', 'Vector Stores'],
  )
})

test('findKinds() wants every word, in label or category, and puts labels that begin with it first', () => {
  assert.deepEqual(names('text split'), ['splitter'])
  assert.deepEqual(names('store'), ['store'])
  assert.deepEqual(names('document nonsense'), [])
})

test('findKinds() finds a kind by an input, after those that are called so, and names the input', () => {
  assert.deepEqual(names('chunksize'), ['splitter'])
  const [group] = findKinds(KINDS, 'chunksize', false)
  assert.deepEqual([...group!.inputs], [['splitter', 'chunkSize']])
  assert.deepEqual([...findKinds(KINDS, 'splitter', false)[0]!.inputs], [])
})
