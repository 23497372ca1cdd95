import assert from 'node:assert/strict'
import type { FastifyReply } from 'fastify'
import { test } from 'node:test'
import type { QuotaRequest } from '../contract/quota.ts'
import type { RequestCaller } from './caller.ts'
import { createDailyQuotas } from './quotas.ts'

/** Ten seconds and a half before midnight. */
const NOW = Date.UTC(2026, 10, 27, 23, 59, 49, 500)
const DAY = Math.floor(NOW / 86_400_000)

function desk({ quotas = { questions: 5 } as object | null, limited = false, used = 2 } = {}) {
  const asked: QuotaRequest[] = []
  const headers: Record<string, unknown> = limited ? { 'ratelimit-limit': 'of the flow' } : {}
  const keys = {
    async take(request: QuotaRequest) {
      asked.push(request)
      const isRefused = used + request.amount > request.max
      return { used: isRefused ? used : used + request.amount, isRefused }
    },
  }
  const reply = {
    hasHeader: (name: string) => name in headers,
    headers: (more: object) => Object.assign(headers, more),
  } as unknown as FastifyReply
  const caller = {
    key: async () => (quotas === null ? undefined : { id: 'key 1', quotas }),
  } as unknown as RequestCaller
  const daily = createDailyQuotas(keys, () => NOW)
  return { asked, headers, spend: (amount: number) => daily.spend(caller, reply, 'questions', amount) }
}

test('spend() counts by the day of UTC, and tells what is left and until when', async () => {
  const { asked, headers, spend } = desk()
  await spend(3)
  assert.deepEqual(asked, [{ id: 'key 1', quota: 'questions', amount: 3, max: 5, day: DAY }])
  assert.deepEqual(headers, { 'ratelimit-limit': 5, 'ratelimit-remaining': 0, 'ratelimit-reset': 11 })
})

test('spend() refuses what is more than the quota, with the headers, also those of a flow with a limit of its own', async () => {
  for (const limited of [false, true]) {
    const { headers, spend } = desk({ limited })
    await assert.rejects(spend(4), {
      code: 'quota_exceeded',
      facts: {
        ...{ quota: 'questions', limit: 5, used: 2, amount: 4, retryAfter: 11 },
        resetsAt: '2026-11-28T00:00:00.000Z',
      },
    })
    assert.deepEqual(headers, { 'ratelimit-limit': 5, 'ratelimit-remaining': 3, 'ratelimit-reset': 11 })
  }
})

test('spend() leaves the headers of a flow with a limit of its own, and none is negative', async () => {
  const own = desk({ limited: true })
  await own.spend(1)
  assert.deepEqual(own.headers, { 'ratelimit-limit': 'of the flow' })
  const lowered = desk({ used: 9 })
  await assert.rejects(lowered.spend(1))
  assert.equal(lowered.headers['ratelimit-remaining'], 0)
})

test('spend() counts nothing without a key, without that quota, and for an amount of 0', async () => {
  for (const [quotas, amount] of [
    [null, 1],
    [{ bytes: 1 }, 1],
    [{ questions: 5 }, 0],
  ] as const) {
    const { asked, headers, spend } = desk({ quotas })
    await spend(amount)
    assert.deepEqual([asked, headers], [[], {}])
  }
})
