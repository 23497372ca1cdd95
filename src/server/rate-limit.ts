import type { FlowRow } from '../contract/flow-store.ts'
import type { RequestWindows } from '../contract/request-windows.ts'
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
  admit(flow: FlowRow, client: string): Promise<Allowance | undefined>
}

/** @param windows counts the requests of each client of a flow */
export const createRateLimiter = (windows: RequestWindows): RateLimiter => ({
  async admit(flow, client) {
    const limit = limitOf(flow)
    if (!limit) return undefined
    const { used, isRefused, resetMs } = await windows.count(
      `${flow.id} ${client}`,
      limit.max,
      limit.seconds * 1000,
    )
    const resetSeconds = Math.ceil(resetMs / 1000)
    if (isRefused) throw new SluiceError('rate_limited', { message: limit.message, retryAfter: resetSeconds })
    return { limit: limit.max, remaining: limit.max - used, resetSeconds }
  },
})

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
