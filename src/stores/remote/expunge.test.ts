import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { expungeLater } from './expunge.ts'

function counted(t: TestContext, fails = false) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const merged: string[] = []
  const shown: string[] = []
  const merge = async (collection: string) => {
    merged.push(collection)
    if (fails) throw new Error('not allowed')
  }
  const show = async (collection: string) => {
    shown.push(collection)
    if (fails) throw new Error('not allowed')
  }
  return {
    ...{ merged, shown },
    tick: (ms: number) => t.mock.timers.tick(ms),
    ...expungeLater(merge, show, { from: 10, quietMs: 100 }),
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

test('expungeLater() merges once more when copies have told each other, and shows searches each result, until the collection is gone', async (t) => {
  const { merged, shown, note, drop, tick } = counted(t)
  for (const collection of ['stays', 'goes']) note(collection, 10)
  tick(100)
  await setImmediate()
  merged.length = 0
  tick(1999)
  assert.deepEqual(shown, [])
  tick(1)
  assert.deepEqual(shown.splice(0), ['stays', 'goes'])
  drop('goes')
  tick(15_000)
  assert.deepEqual([shown.splice(0), merged], [['stays'], []])
  tick(45_000)
  assert.deepEqual(merged, ['stays'])
  for (const ms of [2000, 15_000, 60_000, 300_000, 1_800_000]) tick(ms)
  tick(10_000_000)
  assert.deepEqual([shown.length, merged.length], [5, 1])
})

test('expungeLater() leaves a collection that is gone, and what fails', async (t) => {
  const { merged, shown, note, drop, tick } = counted(t, true)
  note('gone', 20)
  drop('gone')
  note('refused', 20)
  tick(100)
  assert.deepEqual(merged, ['refused'])
  await setImmediate()
  tick(10_000)
  assert.deepEqual(shown, [])
})
