import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptCopies } from './kept-copies.ts'

test('KeptCopies lets those go that were not used for the longest time, where all take more than the limit, but not the last one', () => {
  const kept = new KeptCopies<{ heldBytes: number }>(30)
  const copies = Array.from({ length: 5 }, () => ({ heldBytes: 10 }))
  for (const indexId of [0, 1, 2, 0]) kept.use(indexId, copies[indexId]!)
  kept.use(3, copies[3]!)
  assert.deepEqual(
    [0, 1, 2, 3].map((indexId) => kept.find(indexId) !== undefined),
    [true, false, true, true],
  )
  // One that has grown is counted anew.
  copies[0]!.heldBytes = 20
  kept.use(0, copies[0]!)
  assert.deepEqual([kept.size, kept.find(2)], [2, undefined])
  copies[4]!.heldBytes = 99
  kept.use(4, copies[4]!)
  assert.deepEqual([kept.size, kept.find(4)], [1, copies[4]])
  kept.remove(4)
  kept.remove(4)
  for (const indexId of [0, 1]) kept.use(indexId, { heldBytes: 15 })
  assert.equal(kept.size, 2)
})

test('KeptCopies without a limit keeps all', () => {
  const kept = new KeptCopies<{ heldBytes: number }>(Infinity)
  for (let indexId = 0; indexId < 100; indexId++) kept.use(indexId, { heldBytes: 1e9 })
  assert.equal(kept.size, 100)
})
