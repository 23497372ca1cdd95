import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { encodeRuns, IdRuns } from './id-runs.ts'

test('IdRuns gives the number of each id and the id of each number, and of no other', () => {
  const random = randomBelow(3)
  for (let round = 0; round < 200; round++) {
    const ids: number[] = []
    for (
      let id = 1 + random(5_000_000);
      ids.length < 1 + random(60);
      id += 1 + (random(4) === 0 ? random(300) : 0)
    )
      ids.push(id)
    const runs = new IdRuns(ids[0]!, encodeRuns(ids))
    assert.equal(runs.size, ids.length)
    for (const [number, id] of ids.entries()) {
      assert.equal(runs.idAt(number), id)
      assert.equal(runs.numberOf(id), number)
    }
    for (let id = ids[0]! - 2; id < ids.at(-1)! + 3; id++)
      assert.equal(runs.numberOf(id) !== undefined, ids.includes(id))
  }
})

test('encodeRuns() needs a few bytes for many ids that follow one another', () => {
  assert.equal(encodeRuns(Array.from({ length: 10_000 }, (_, i) => 77 + i)).length, 3)
})
