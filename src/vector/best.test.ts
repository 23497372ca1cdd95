import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Best } from './best.ts'

test('Best keeps the highest scores of any sequence', () => {
  let state = 17
  const random = (bound: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % bound
  }
  for (let round = 0; round < 500; round++) {
    const offers = Array.from({ length: random(60) }, (_, owner) => ({ owner, score: random(30) }))
    const capacity = random(20)
    const best = new Best(capacity)
    for (const { owner, score } of offers) best.offer(owner, score)
    const scores = offers.map(({ score }) => score).sort((left, right) => right - left)
    const ranked = best.ranked()
    assert.deepEqual(
      ranked.map(({ score }) => score),
      scores.slice(0, capacity),
    )
    assert.ok(ranked.every(({ owner, score }) => offers[owner]!.score === score))
    assert.equal(new Set(ranked.map(({ owner }) => owner)).size, ranked.length)
  }
})

test('Best has the threshold that a score must exceed', () => {
  const best = new Best(2)
  assert.equal(best.threshold, -Infinity)
  best.offer(1, 5)
  best.offer(2, 7)
  assert.equal(best.threshold, 5)
  best.offer(3, 5)
  best.offer(4, Number.NaN)
  assert.deepEqual(best.ranked(), [
    { owner: 2, score: 7 },
    { owner: 1, score: 5 },
  ])
  assert.equal(new Best(0).threshold, Infinity)
})
