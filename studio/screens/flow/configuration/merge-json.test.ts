import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSame, mergeJson } from './merge-json.ts'

test('mergeJson() keeps what was changed here, and takes everything else from there', () => {
  const base = { rate: { status: true, max: 5 }, nodes: { A: [{ name: 'size', enabled: true }] }, list: [1] }
  const mine = { rate: { status: true, max: 9 }, nodes: { A: [{ name: 'size', enabled: false }] }, list: [1] }
  const theirs = {
    rate: { status: false, max: 5 },
    nodes: {
      A: [
        { name: 'size', enabled: true },
        { name: 'overlap', enabled: true },
      ],
      B: [],
    },
    list: [2],
  }
  assert.deepEqual(mergeJson(base, mine, theirs), {
    rate: { status: false, max: 9 },
    nodes: {
      A: [
        { name: 'size', enabled: false },
        { name: 'overlap', enabled: true },
      ],
      B: [],
    },
    list: [2],
  })
})

test('mergeJson() lets this side win where both changed the same, and keeps a removal', () => {
  assert.equal(mergeJson(1, 2, 3), 2)
  assert.deepEqual(mergeJson({ a: 1, b: 1 }, { b: 1 }, { a: 1, b: 2 }), { b: 2 })
  assert.deepEqual(mergeJson({ list: [1] }, { list: [1, 2] }, { list: [3] }), { list: [1, 2] })
  assert.deepEqual(mergeJson(undefined, { a: 1 }, { b: 1 }), { b: 1, a: 1 })
})

test('isSame() does not see the order of members', () => {
  assert.ok(isSame({ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 }))
  assert.ok(!isSame([1, 2], [2, 1]))
})
