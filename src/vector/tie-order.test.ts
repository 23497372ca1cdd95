import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutTies, inTieOrder } from './tie-order.ts'

const hit = (id: number, score: number) => ({ id, score })
const idsOf = (hits: { id: number }[]) => hits.map(({ id }) => id)

/** The place of a higher id is lower. `read` has the ids of each call. */
function placesOf() {
  const read: number[][] = []
  const places = (ids: readonly number[]) => {
    read.push([...ids])
    return new Map(ids.map((id) => [id, `text ${9 - id}`]))
  }
  return { read, places }
}

const HITS = [hit(1, 0.5), hit(2, 0.9), hit(3, 0.5), hit(4, 0.7), hit(5, 0.5), hit(6, 0.9)]

test('inTieOrder() sorts by score, and equal scores by places, which it reads for those alone that it returns', () => {
  const { read, places } = placesOf()
  assert.deepEqual(idsOf(inTieOrder(HITS, places)), [6, 2, 4, 5, 3, 1])
  assert.deepEqual(idsOf(inTieOrder(HITS, places, 4)), [6, 2, 4, 5])
  assert.deepEqual(idsOf(inTieOrder(HITS, places, 3)), [6, 2, 4])
  assert.deepEqual(read, [
    [2, 6, 1, 3, 5],
    [2, 6, 1, 3, 5],
    [2, 6],
  ])
  inTieOrder(HITS.slice(0, 2), places)
  assert.equal(read.length, 3)
})

test('cutTies() gives the hits with the highest scores, and reads places only where equal ones are cut', () => {
  const { read, places } = placesOf()
  assert.deepEqual(idsOf(cutTies(HITS, 5, places)), [2, 6, 4, 5, 3])
  assert.deepEqual(read, [[1, 3, 5]])
  for (const count of [2, 3, 6, 9]) assert.equal(cutTies(HITS, count, places).length, Math.min(6, count))
  assert.equal(read.length, 1)
})
