import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Closest } from './closest.ts'

const scoreOf = (owner: number, spread: number): number => ((owner * 48_271) % 65_521) % spread

/** The kept scores, the highest first. */
function kept(capacity: number, count: number, spread: number): { all: number[]; best: number[] } {
  const closest = new Closest(capacity)
  const scores = Array.from({ length: count }, (_, owner) => scoreOf(owner, spread))
  for (const [owner, score] of scores.entries()) closest.offer(owner, score)
  const owners = [...closest.owners()]
  assert.equal(new Set(owners).size, owners.length)
  const descending = (numbers: number[]) => numbers.toSorted((left, right) => right - left)
  return {
    all: descending(owners.map((owner) => scoreOf(owner, spread))),
    best: descending(scores).slice(0, capacity),
  }
}

test('Closest keeps the highest scores, many of them equal or few, whatever is more', () => {
  for (const capacity of [1, 7, 100])
    for (const count of [0, 1, 99, 100, 200, 201, 5000])
      for (const spread of [1, 3, 1000, 65_536]) {
        const { all, best } = kept(capacity, count, spread)
        assert.deepEqual(all, best, `${capacity} of ${count} in ${spread}`)
      }
})

test('Closest has a threshold below which no score would be kept', () => {
  const closest = new Closest(2)
  assert.equal(closest.threshold, 0)
  for (const [owner, score] of [5, 9, 9, 65_535, 1].entries()) closest.offer(owner, score)
  assert.equal(closest.threshold, 10)
  assert.deepEqual([...closest.owners()].sort(), [1, 3])
})
