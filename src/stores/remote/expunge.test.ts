import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { expungeLater } from './expunge.ts'

function counted(t: TestContext, fails = false) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const merged: string[] = []
  const merge = async (collection: string) => {
    merged.push(collection)
    if (fails) throw new Error('not allowed')
  }
  return {
    merged,
    tick: (ms: number) => t.mock.timers.tick(ms),
    ...expungeLater(merge, { from: 10, quietMs: 100 }),
  }
}

test('expungeLater() asks for a merge once, after many deletions and a quiet time', (t) => {
  const { merged, note, tick } = counted(t)
  note('few', 9)
  note('many', 6)
  note('many', 6)
  tick(99)
  note('many', 1)
  tick(99)
  assert.deepEqual(merged, [])
  tick(1)
  assert.deepEqual(merged, ['many'])
  note('many', 9)
  tick(1000)
  assert.deepEqual(merged, ['many'])
})

test('expungeLater() leaves a collection that is gone, and what fails', (t) => {
  const { merged, note, drop, tick } = counted(t, true)
  note('gone', 20)
  drop('gone')
  note('refused', 20)
  tick(100)
  assert.deepEqual(merged, ['refused'])
})
