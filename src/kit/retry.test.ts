import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retry, retryAfterMs, type RetryOptions } from './retry.ts'

/** Retries work that fails a number of times; the waits are remembered, not waited. */
async function attempt(failures: number, options: Partial<RetryOptions> = {}) {
  const waits: number[] = []
  let calls = 0
  const outcome = await retry(
    async () => {
      if (calls++ < failures) throw new Error(`failure ${calls}`)
      return 'done'
    },
    {
      verdict: () => ({}),
      random: () => 1,
      wait: async (ms) => void waits.push(ms),
      ...options,
    },
  ).catch((error: Error) => error.message)
  return { outcome, calls, waits }
}

test('retry() answers what the work answers, without waiting', async () => {
  assert.deepEqual(await attempt(0), { outcome: 'done', calls: 1, waits: [] })
})

test('retry() waits twice as long each time, up to a bound', async () => {
  const { outcome, waits } = await attempt(5, { attempts: 6, maxMs: 3000 })
  assert.equal(outcome, 'done')
  assert.deepEqual(waits, [500, 1000, 2000, 3000, 3000])
})

test('retry() leaves half of a wait to chance', async () => {
  assert.deepEqual((await attempt(2, { random: () => 0 })).waits, [250, 500])
})

test('retry() throws the last failure when its attempts are used up', async () => {
  assert.deepEqual(await attempt(9, { attempts: 3 }), { outcome: 'failure 3', calls: 3, waits: [500, 1000] })
})

test('retry() throws what cannot be helped at once', async () => {
  assert.deepEqual(await attempt(1, { verdict: () => undefined }), {
    outcome: 'failure 1',
    calls: 1,
    waits: [],
  })
})

test('retry() never waits less than it was asked to', async () => {
  const { waits } = await attempt(2, { verdict: () => ({ afterMs: 7000 }), random: () => 0 })
  assert.deepEqual(waits, [7000, 7000])
})

test('retry() makes no attempt after a requested wait that is too long', async () => {
  const verdict = () => ({ afterMs: 3_600_000 })
  assert.deepEqual(await attempt(1, { verdict }), { outcome: 'failure 1', calls: 1, waits: [] })
})

test('retry() ends at once when it is aborted while it waits', async () => {
  const caller = new AbortController()
  const reason = new Error('no longer wanted')
  const work = retry(
    async () => {
      setImmediate(() => caller.abort(reason))
      throw new Error('failure')
    },
    { verdict: () => ({}), baseMs: 60_000, maxMs: 60_000, signal: caller.signal },
  )
  await assert.rejects(work, reason)
})

test('retryAfterMs() reads seconds and dates', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  assert.equal(retryAfterMs('2', now), 2000)
  assert.equal(retryAfterMs('0.5', now), 500)
  assert.equal(retryAfterMs('Thu, 01 Jan 2026 00:01:00 GMT', now), 60_000)
  assert.equal(retryAfterMs('Wed, 31 Dec 2025 23:00:00 GMT', now), 0)
  for (const nothing of [null, undefined, '', 'soon']) assert.equal(retryAfterMs(nothing, now), undefined)
})
