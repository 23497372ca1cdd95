import assert from 'node:assert/strict'
import { test } from 'node:test'
import { between, seeded } from '../../test/support/splitter-oracle.ts'
import { IdSet } from './id-set.ts'

test('IdSet has what was added, across the borders of its words and pages', () => {
  const edges = [0, 31, 32, 1023, 1024, 2 ** 31, 2 ** 40]
  const set = new IdSet()
  for (const id of edges) set.add(id).add(id)
  assert.equal(set.size, edges.length)
  assert.deepEqual([...set], edges)
  for (const id of edges) {
    assert.ok(set.has(id), `${id}`)
    assert.ok(!set.has(id + 2), `${id + 2}`)
  }
})

test('IdSet behaves as a Set of numbers does', () => {
  const random = seeded(7)
  const set = new IdSet()
  const oracle = new Set<number>()
  for (let step = 0; step < 20_000; step++) {
    const id = between(random, 0, 3000)
    if (random() < 0.5) {
      set.add(id)
      oracle.add(id)
    } else assert.equal(set.delete(id), oracle.delete(id))
    assert.equal(set.has(id), oracle.has(id))
    assert.equal(set.size, oracle.size)
  }
  assert.deepEqual(new Set(set), oracle)
})
