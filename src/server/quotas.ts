import type { FastifyReply } from 'fastify'
import type { ApiKeyStore } from '../contract/api-key-store.ts'
import type { DailyQuota } from '../contract/quota.ts'
import { dayOf, endOfDay } from '../callers/quotas.ts'
import { SluiceError } from '../kit/errors.ts'
import type { RequestCaller } from './caller.ts'

/** The quotas of keys that are counted by day. */
export type DailyQuotas = {
  /**
   * Counts what a request uses; nothing for a caller without a key, or with a key without that quota. The headers of the
   * answer tell what is left, unless the flow has a limit of its own.
   *
   * @throws SluiceError `quota_exceeded`
   */
  spend(caller: RequestCaller, reply: FastifyReply, quota: DailyQuota, amount: number): Promise<void>
}

export const createDailyQuotas = (
  keys: Pick<ApiKeyStore, 'take'>,
  clock: () => number = Date.now,
): DailyQuotas => ({
  async spend(caller, reply, quota, amount) {
    const key = await caller.key()
    const limit = key?.quotas[quota]
    if (key === undefined || limit === undefined || amount === 0) return
    const now = clock()
    const day = dayOf(now)
    const { used, isRefused } = await keys.take({ id: key.id, quota, amount, max: limit, day })
    const resetSeconds = Math.ceil((endOfDay(day) - now) / 1000)
    if (isRefused || !reply.hasHeader('ratelimit-limit'))
      reply.headers({
        'ratelimit-limit': limit,
        'ratelimit-remaining': Math.max(0, limit - used),
        'ratelimit-reset': resetSeconds,
      })
    if (!isRefused) return
    throw new SluiceError('quota_exceeded', {
      ...{ quota, limit, used, amount },
      resetsAt: new Date(endOfDay(day)).toISOString(),
      retryAfter: resetSeconds,
    })
  },
})
