import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { countTurns } from '../../../test/support/count-turns.ts'
import { Connection } from '../../db/sqlite/connection.ts'
import { Follower } from './follower.ts'

class SlowCopy extends Follower {
  loads = 0

  protected async load(): Promise<void> {
    this.loads++
    for (let step = 0; step < 5; step++) await setImmediate()
  }

  protected async take(): Promise<void> {}
}

test('Follower: searches that wait for one load go on in turns of their own', async () => {
  const connection = new Connection(':memory:')
  connection.exec('CREATE TABLE runs (seq INTEGER, index_id INTEGER, state TEXT, first_chunk INTEGER)')
  const copy = new SlowCopy(connection, 1)
  using turns = countTurns()
  const resumed = await Promise.all(
    Array.from({ length: 20 }, async () => {
      await copy.follow()
      return turns.count
    }),
  )
  assert.equal(copy.loads, 1)
  assert.equal(copy.run, 0)
  assert.equal(new Set(resumed).size, 20, resumed.join())
  connection.close()
})
