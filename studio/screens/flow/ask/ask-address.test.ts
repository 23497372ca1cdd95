import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAskAddress } from './ask-address.ts'

test('readAskAddress() keeps what a question may have, and leaves out the rest', () => {
  const whole = {
    view: 'search',
    q: 'x',
    mode: 'vector',
    weight: 0.3,
    topK: 9,
    rerank: false,
    rescore: false,
    spelling: false,
    filter: { a: 1 },
  }
  assert.deepEqual(readAskAddress(whole), whole)
  assert.deepEqual(readAskAddress({ q: 42, chat: 7 }), { q: '42', chat: '7' })
  const wrong = {
    view: 'x',
    q: {},
    mode: 'all',
    weight: 2,
    topK: 0,
    rerank: true,
    rescore: true,
    spelling: true,
    filter: [],
    chat: null,
  }
  assert.deepEqual(readAskAddress(wrong), {})
})
