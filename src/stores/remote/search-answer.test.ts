import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefreshed, wholeDocumentsIn, wholeHitsIn } from './search-answer.ts'

const HITS = [{ _id: 'a', _score: 1 }]
const answer = (shards: object, more: object = {}) => ({
  ...{ timed_out: false, _shards: { skipped: 0, ...shards }, hits: { hits: HITS } },
  ...more,
})

test('an answer has hits where all shards have answered', () => {
  assert.deepEqual(wholeHitsIn(answer({ total: 2, successful: 2, failed: 0 })), HITS)
  assert.deepEqual(wholeHitsIn({ hits: { hits: HITS } }), HITS)
  assert.deepEqual(wholeHitsIn(undefined), [])
})

test('an answer is not whole where a shard has failed, is nowhere, or was too late', () => {
  assert.equal(wholeHitsIn(answer({ total: 2, successful: 1, failed: 1 })), undefined)
  assert.equal(wholeHitsIn(answer({ total: 2, successful: 1, failed: 0 })), undefined)
  assert.equal(wholeHitsIn(answer({ total: 2, successful: 0, failed: 0 })), undefined)
  assert.equal(wholeHitsIn(answer({ total: 2, successful: 2, failed: 0 }, { timed_out: true })), undefined)
})

test('documents are those that were found; an index that is gone has none, and of a shard that is away nothing is known', () => {
  const error = (type: string) => ({ _id: 'c', error: { type, reason: 'why' } })
  const docs = [
    { _id: 'a', found: true },
    { _id: 'b', found: false },
  ]
  assert.deepEqual(wholeDocumentsIn({ docs }), [docs[0]])
  assert.deepEqual(wholeDocumentsIn({ docs: [error('index_not_found_exception')] }), [])
  assert.equal(wholeDocumentsIn({ docs: [...docs, error('no_shard_available_action_exception')] }), undefined)
})

test('a refresh is whole unless a copy that is there has failed', () => {
  assert.equal(isRefreshed({ _shards: { total: 4, successful: 2, failed: 0 } }), true)
  assert.equal(isRefreshed({ _shards: { total: 4, successful: 3, failed: 1 } }), false)
})
