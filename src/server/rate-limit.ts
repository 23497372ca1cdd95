import type { FlowRow } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject } from '../kit/json.ts'

/** A flow's own limit: so many requests of one client in so many seconds. */
type Limit = { max: number; seconds: number; message: string }

/** What a client may still do, for the `RateLimit-*` headers. */
export type Allowance = { limit: number; remaining: number; resetSeconds: number }

export type RateLimiter = {
  /**
   * Counts a request; undefined for a flow without a limit.
   *
   * @throws SluiceError `rate_limited` with the flow's message and `retryAfter` in seconds
   */
  admit(flow: FlowRow, client: string): Allowance | undefined
}

/** Windows that are over are cleared away when so many are held. */
const CLEAR_AT = 10_000

/**
 * Counts in windows that begin with a client's first request, in memory: a restart forgives.
 *
 * @param clock milliseconds that only grow, whatever the clock of the machine is set to
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

/** The limit stands in `apiConfig.rateLimit` and holds when it is switched on and both numbers make sense. */
function limitOf({ config }: FlowRow): Limit | undefined {
  const limit = isObject(config.apiConfig) ? config.apiConfig.rateLimit : undefined
  if (!isObject(limit) || limit.status !== true) return undefined
  const [max, seconds] = [Number(limit.limitMax), Number(limit.limitDuration)]
  if (!(max > 0 && seconds > 0)) return undefined
  const message =
    typeof limit.limitMsg === 'string' && limit.limitMsg !== '' ? limit.limitMsg : 'Too many requests'
  return { max, seconds, message }
}
