import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StorePart } from '../../contract/card.ts'
import { withRetrieval } from './with-retrieval.ts'

const part = (topK: number, open?: () => Promise<StorePart>): StorePart => ({
  store: {} as StorePart['store'],
  embedder: {} as StorePart['embedder'],
  loaders: [],
  retrieval: { topK, searchType: 'similarity' },
  ...(open ? { open } : {}),
})

test('withRetrieval() changes the settings of a store, and those of a store of another flow when it is open', async () => {
  const change = (own: StorePart['retrieval']) => ({ ...own, minScore: 0.5 })
  assert.equal(withRetrieval(part(4), change).open, undefined)
  assert.deepEqual(withRetrieval(part(4), change).retrieval, {
    topK: 4,
    searchType: 'similarity',
    minScore: 0.5,
  })
  const named = withRetrieval(
    part(4, async () => part(9)),
    change,
  )
  const opened = await named.open!()
  assert.deepEqual(opened.retrieval, { topK: 9, searchType: 'similarity', minScore: 0.5 })
})
