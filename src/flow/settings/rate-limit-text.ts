import { isObject, type JsonObject } from '../../kit/json.ts'

const SECONDS = { s: 1, m: 60, h: 3600 } as const

/** The rate limit of a flow as text, `30/60s`: requests of one client per time; `off` without a limit. */
export function rateLimitText(limit: unknown): string {
  if (!isObject(limit) || limit.status !== true) return 'off'
  return `${String(limit.limitMax)}/${String(limit.limitDuration)}s`
}

/**
 * Reads `30/60s`, `30/m` or `1000/1h`; `off` switches the limit off and keeps its message.
 *
 * @throws Error with the reason
 */
export function readRateLimit(text: string, before: unknown): JsonObject {
  const held = isObject(before) ? (before as JsonObject) : {}
  if (/^(off|none|no|false)$/i.test(text)) return { ...held, status: false }
  const [, max, many, unit] = /^(\d+)\s*\/\s*(\d*)([smh])$/.exec(text) ?? []
  const duration = Number(many || 1) * SECONDS[(unit ?? 's') as keyof typeof SECONDS]
  if (max === undefined || !(Number(max) > 0 && duration > 0))
    throw new Error('expected requests per time, such as 30/60s, 100/m or 1000/h, or off')
  return { ...held, status: true, limitMax: Number(max), limitDuration: duration }
}
