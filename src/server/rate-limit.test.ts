import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowRow } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'
import { memoryWindows } from '../kit/memory-windows.ts'
import { createRateLimiter } from './rate-limit.ts'

const flow = (rateLimit: JsonObject, id = 'f'): FlowRow => ({
  id,
  slug: id,
  name: id,
  type: 'CHATFLOW',
  flowData: '',
  config: { apiConfig: { rateLimit } },
  apiKeyId: null,
  createdAt: 0,
  updatedAt: 0,
  revision: 1,
})
const on = { status: true, limitMax: 2, limitDuration: 10, limitMsg: 'Slowly, please' }

test('admit() admits the allowed number in a window, then refuses with the message of the flow and the time to wait', async () => {
  let now = 1000
  const limiter = createRateLimiter(memoryWindows(() => now))
  assert.deepEqual(await limiter.admit(flow(on), 'a'), { limit: 2, remaining: 1, resetSeconds: 10 })
  now += 4000
  assert.deepEqual(await limiter.admit(flow(on), 'a'), { limit: 2, remaining: 0, resetSeconds: 6 })
  await assert.rejects(
    () => limiter.admit(flow(on), 'a'),
    (error: unknown) =>
      error instanceof SluiceError &&
      error.status === 429 &&
      error.message === 'Slowly, please' &&
      error.facts.retryAfter === 6,
  )
  now += 6000
  assert.equal((await limiter.admit(flow(on), 'a'))?.remaining, 1)
})

test('admit() counts each client and each flow separately', async () => {
  const limiter = createRateLimiter(memoryWindows(() => 0))
  for (const [client, id] of [
    ['a', 'f'],
    ['a', 'f'],
    ['b', 'f'],
    ['a', 'g'],
  ] as const)
    await limiter.admit(flow(on, id), client)
  await assert.rejects(() => limiter.admit(flow(on, 'f'), 'a'), /Slowly/)
  assert.equal((await limiter.admit(flow(on, 'f'), 'b'))?.remaining, 0)
})

test('admit() reads numbers given as text, and ignores a limit that is off or not valid', async () => {
  const limiter = createRateLimiter(memoryWindows(() => 0))
  assert.equal(
    (await limiter.admit(flow({ status: true, limitMax: '1', limitDuration: '60' }), 'a'))?.limit,
    1,
  )
  await assert.rejects(
    () => limiter.admit(flow({ status: true, limitMax: '1', limitDuration: '60' }), 'a'),
    /Too many requests/,
  )
  for (const off of [{}, { ...on, status: false }, { ...on, limitMax: 0 }, { ...on, limitDuration: 'soon' }])
    assert.equal(await limiter.admit(flow(off, 'x'), 'a'), undefined)
})
