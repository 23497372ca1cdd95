import type { Json, JsonObject } from '../../../drawing/flow-file.ts'
import { numberOfText } from '../../../forms/number-text.ts'

/** The rate limit of a flow as its form shows it. Flow files hold the numbers as numbers and as text. */
export type RateLimit = { isOn: boolean; requests: Json; seconds: Json; message: string }

export function rateLimitOf({ rateLimit }: JsonObject): RateLimit {
  const held = (typeof rateLimit === 'object' && rateLimit !== null ? rateLimit : {}) as JsonObject
  return {
    isOn: held.status === true,
    requests: held.limitMax ?? '',
    seconds: held.limitDuration ?? '',
    message: typeof held.limitMsg === 'string' ? held.limitMsg : '',
  }
}

/** Other members of the limit stay. A limit that is switched on for the first time has usable numbers. */
export function withRateLimit(apiConfig: JsonObject, change: Partial<RateLimit>): JsonObject {
  const { isOn, requests, seconds, message } = { ...rateLimitOf(apiConfig), ...change }
  const held = (apiConfig.rateLimit ?? {}) as JsonObject
  const first = change.isOn === true && requests === '' && seconds === ''
  return {
    ...apiConfig,
    rateLimit: {
      ...held,
      status: isOn,
      limitMax: first ? 60 : requests,
      limitDuration: first ? 60 : seconds,
      limitMsg: message,
    },
  }
}

/** Why a limit that is switched on has no effect. */
export function rateLimitProblem({ isOn, requests, seconds }: RateLimit): string | undefined {
  if (!isOn || (isPositive(requests) && isPositive(seconds))) return undefined
  return 'Without two numbers above 0 there is no limit'
}

const isPositive = (value: Json): boolean => {
  const number = typeof value === 'string' ? numberOfText(value) : value
  return typeof number === 'number' && number > 0
}
