import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdIndex } from './id-index.ts'

for (const idsPerPage of [undefined, 16])
  test(`IdIndex answers as a Map does, through growth, removals and pages of ${idsPerPage ?? 'many'} ids that are used again`, () => {
    let state = 23
    const random = (bound: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % bound
    }
    let slots = 0
    const index = new IdIndex(idsPerPage)
    const map = new Map<number, number>()
    for (let round = 0; round < 60_000; round++) {
      // Ids that share a page, others that are alone in theirs, large and negative ones.
      const id = random(4000) * (random(3) > 0 ? 1 : 2 ** 33) * (random(9) > 0 ? 1 : -1)
      if (map.has(id)) {
        assert.equal(index.slotOf(id), map.get(id))
        index.remove(id)
        map.delete(id)
      } else {
        assert.equal(index.slotOf(id), undefined)
        index.remove(id)
        index.add(id, slots)
        map.set(id, slots++)
      }
      assert.equal(index.size, map.size)
    }
    assert.ok(map.size > 1000)
    for (const [id, slot] of map) assert.equal(index.slotOf(id), slot)
  })

test('IdIndex keeps its ids when room is made for more or fewer', () => {
  const index = new IdIndex()
  for (let id = 0; id < 3000; id++) index.add(id * 3, id)
  index.reserve(10)
  index.reserve(100_000)
  for (let id = 3000; id < 60_000; id++) index.add(id * 3, id)
  assert.equal(index.size, 60_000)
  for (let id = 0; id < 60_000; id++) assert.equal(index.slotOf(id * 3), id)
  assert.equal(index.slotOf(1), undefined)
})
