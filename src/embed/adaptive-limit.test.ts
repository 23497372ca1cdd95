import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AdaptiveLimit } from './adaptive-limit.ts'

const always = () => true

/** Starts calls that end when the test ends them. */
async function start(limit: AdaptiveLimit, count: number) {
  const calls = Array.from({ length: count }, () => Promise.withResolvers<void>())
  const begun: number[] = []
  const ends = calls.map((call, i) =>
    limit
      .run(() => {
        begun.push(i)
        return call.promise
      }, always)
      .catch(() => {}),
  )
  await setImmediate()
  return { calls, begun, ends }
}

test('run() starts four calls and lets the others wait', async () => {
  const { calls, begun, ends } = await start(new AdaptiveLimit(), 6)
  assert.deepEqual(begun, [0, 1, 2, 3])
  calls[2]!.resolve()
  await ends[2]
  await setImmediate()
  assert.deepEqual(begun, [0, 1, 2, 3, 4])
  for (const call of calls) call.resolve()
  await Promise.all(ends)
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5])
})

test('size grows with every success, slowly, up to a bound', async () => {
  const limit = new AdaptiveLimit()
  const sizes: number[] = []
  for (let i = 0; i < 200; i++) {
    await limit.run(async () => {}, always)
    sizes.push(limit.size)
  }
  assert.deepEqual([sizes[0], sizes[4], sizes[199]], [4, 5, 16])
})

test('size halves once for all calls that fail together, and never below one', async () => {
  const limit = new AdaptiveLimit()
  const { calls, ends } = await start(limit, 4)
  for (const call of calls) call.reject(new Error('too much'))
  await Promise.all(ends)
  assert.equal(limit.size, 2)
  for (let i = 0; i < 5; i++)
    await limit.run(() => Promise.reject(new Error('too much')), always).catch(() => {})
  assert.equal(limit.size, 1)
})

test('size stays after a failure for another reason', async () => {
  const limit = new AdaptiveLimit()
  await limit
    .run(
      () => Promise.reject(new Error('other')),
      () => false,
    )
    .catch(() => {})
  assert.equal(limit.size, 4)
})

test('run() ends a wait that is aborted, and starts the next call', async () => {
  const limit = new AdaptiveLimit()
  const { calls, begun, ends } = await start(limit, 4)
  const caller = new AbortController()
  const waiting = limit.run(async () => begun.push(-1), always, caller.signal)
  const reason = new Error('no longer wanted')
  caller.abort(reason)
  await assert.rejects(waiting, reason)
  const next = limit.run(async () => 'mine', always)
  calls[0]!.resolve()
  assert.equal(await next, 'mine')
  for (const call of calls) call.resolve()
  await Promise.all(ends)
  assert.deepEqual(begun, [0, 1, 2, 3])
})
