import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownTurn } from './own-turn.ts'
import { countTurns } from '../../test/support/count-turns.ts'

test('ownTurn() gives each of many callers a turn of the event loop of its own, in their order', async () => {
  using turns = countTurns()
  const got: [caller: number, turn: number][] = []
  await Promise.all(
    Array.from({ length: 20 }, async (_, caller) => {
      for (let step = 0; step < 3; step++) {
        await ownTurn()
        got.push([caller, turns.count])
      }
    }),
  )
  assert.equal(new Set(got.map(([, turn]) => turn)).size, 60)
  const callers = Array.from({ length: 60 }, (_, at) => at % 20)
  assert.deepEqual(
    got.map(([caller]) => caller),
    callers,
  )
})
