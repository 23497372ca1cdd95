import type { FlowRow } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject } from '../kit/json.ts'

/** The limit of a flow: `max` requests per client in `seconds`. */
type Limit = { max: number; seconds: number; message: string }

/** The remaining requests of a client, for the `RateLimit-*` headers. */
export type Allowance = { limit: number; remaining: number; resetSeconds: number }

export type RateLimiter = {
  /**
   * Counts a request; undefined for a flow without a limit.
   *
   * @throws SluiceError `rate_limited` with the flow's message and `retryAfter` in seconds
   */
  admit(flow: FlowRow, client: string): Allowance | undefined
}

/** Past windows are removed when there are so many. */
const CLEAR_AT = 10_000

/**
 * Counts requests in windows that begin with the first request of a client. The counts are in memory only.
 *
 * @param clock monotonic time in milliseconds
 */
export function createRateLimiter(clock: () => number = () => performance.now()): RateLimiter {
  const windows = new Map<string, { ends: number; used: number }>()

  function clear(now: number): void {
    if (windows.size < CLEAR_AT) return
    for (const [key, { ends }] of windows) if (ends <= now) windows.delete(key)
  }

  return {
    admit(flow, client) {
      const limit = limitOf(flow)
      if (!limit) return undefined
      const now = clock()
      const key = `${flow.id} ${client}`
      let window = windows.get(key)
      if (!window || window.ends <= now) {
        clear(now)
        window = { ends: now + limit.seconds * 1000, used: 0 }
        windows.set(key, window)
      }
      const resetSeconds = Math.ceil((window.ends - now) / 1000)
      if (window.used >= limit.max) {
        throw new SluiceError('rate_limited', { message: limit.message, retryAfter: resetSeconds })
      }
      window.used++
      return { limit: limit.max, remaining: limit.max - window.used, resetSeconds }
    },
  }
}

/** The limit in `apiConfig.rateLimit`, if it is switched on and both numbers are above 0. */
function limitOf({ config }: FlowRow): Limit | undefined {
  const limit = isObject(config.apiConfig) ? config.apiConfig.rateLimit : undefined
  if (!isObject(limit) || limit.status !== true) return undefined
  const [max, seconds] = [Number(limit.limitMax), Number(limit.limitDuration)]
  if (!(max > 0 && seconds > 0)) return undefined
  const message =
    typeof limit.limitMsg === 'string' && limit.limitMsg !== '' ? limit.limitMsg : 'Too many requests'
  return { max, seconds, message }
}
