import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SluiceError } from '../../kit/errors.ts'
import { WarmUp, type WarmUpOptions } from './warm-up.ts'

/** A warm-up of the indexes 1 to 3, each of which is loaded when its gate is opened. */
function newWarmUp(given: Partial<WarmUpOptions> = {}) {
  const gates = new Map([1, 2, 3].map((indexId) => [indexId, Promise.withResolvers<void>()]))
  const noted: { loaded: number; of: number; isLate: boolean }[] = []
  const warmUp = new WarmUp({
    most: async (count) => [1, 2, 3].slice(0, count),
    load: (indexId) => gates.get(indexId)!.promise,
    isFull: () => false,
    noteEnd: ({ loaded, of, isLate }) => noted.push({ loaded, of, isLate }),
    ...given,
  })
  return { warmUp, noted, open: (indexId: number) => gates.get(indexId)!.resolve(), gates }
}

test('a server is not ready before the indexes that were asked most are loaded', async () => {
  const { warmUp, noted, open } = newWarmUp()
  const { dependency } = warmUp
  assert.equal(dependency.isUsed!(), false)
  await warmUp.start(2)
  assert.equal(dependency.isUsed!(), true)
  const failure = await dependency.check()
  assert.ok(failure instanceof SluiceError)
  assert.deepEqual([failure.code, failure.facts], ['warming', { loaded: 0, of: 2 }])
  open(1)
  open(2)
  await warmUp.ended
  assert.equal(await dependency.check(), undefined)
  assert.deepEqual(noted, [{ loaded: 2, of: 2, isLate: false }])
})

test('a server is ready after a while although indexes are not loaded, and says so', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { warmUp, noted, open } = newWarmUp({ limitMs: 1000 })
  await warmUp.start(3)
  open(1)
  await new Promise((resolve) => setImmediate(resolve))
  t.mock.timers.tick(999)
  assert.ok((await warmUp.dependency.check()) instanceof SluiceError)
  t.mock.timers.tick(1)
  assert.equal(await warmUp.dependency.check(), 'checking')
  open(2)
  open(3)
  await warmUp.ended
  assert.equal(await warmUp.dependency.check(), undefined)
  assert.deepEqual(noted, [{ loaded: 1, of: 3, isLate: true }])
})

test('an index that cannot be loaded does not keep a server, and no index takes the place of another', async () => {
  let isFull = false
  const { warmUp, noted, gates, open } = newWarmUp({ isFull: () => isFull })
  await warmUp.start(3)
  gates.get(1)!.reject(new Error('the bucket is away'))
  open(2)
  isFull = true
  await warmUp.ended
  assert.deepEqual(noted, [{ loaded: 0, of: 3, isLate: false }])
  assert.equal(await warmUp.dependency.check(), undefined)
})

test('a server without indexes that were asked, or with WARM 0, waits for none', async () => {
  for (const [count, given] of [
    [0, {}],
    [8, { most: async () => [] }],
    [8, { most: async () => Promise.reject(new Error('the database is away')) }],
  ] as const) {
    const { warmUp, noted } = newWarmUp(given)
    await warmUp.start(count)
    assert.equal(warmUp.dependency.isUsed!(), false)
    assert.deepEqual(noted, [])
  }
})
