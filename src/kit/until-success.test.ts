import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { untilSuccess } from './until-success.ts'

/** Attempts on a clock of the test: those up to `good` fail. */
function attempts(t: TestContext, good: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const made: number[] = []
  let now = 0
  const repeated = untilSuccess(async () => {
    made.push(now)
    if (made.length < good) throw new Error('away')
  })
  return {
    repeated,
    made,
    async pass(ms: number) {
      for (const end = now + ms; now < end; ) {
        now += 500
        t.mock.timers.tick(500)
        await Promise.resolve().then(() => {})
      }
    },
  }
}

test('untilSuccess() waits twice as long after each failure, at most 30 seconds, and ends with a success', async (t) => {
  const { repeated, made, pass } = attempts(t, 9)
  repeated.start()
  repeated.start()
  await pass(400_000)
  const waits = made.map((at, place) => at - (made[place - 1] ?? 0))
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

test('untilSuccess() goes on with the longer waits after a success, until it is calm', async (t) => {
  const { repeated, made, pass } = attempts(t, 3)
  repeated.start()
  await pass(10_000)
  assert.deepEqual(made, [500, 1500, 3500])
  repeated.start()
  await pass(10_000)
  assert.equal(made.at(-1)! - 10_000, 4000)
  repeated.calm()
  repeated.start()
  await pass(10_000)
  assert.equal(made.at(-1)! - 20_000, 500)
  repeated.start()
  repeated.end()
  repeated.start()
  await pass(60_000)
  assert.equal(made.length, 5)
})
