import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../kit/clock.ts'

/** How long a scrape waits for a value that another server has, in milliseconds. */
const WAIT_MS = 1000

/** A value, and when it was asked for, in ms since 1970. */
export type KnownValue<T> = { value: T; readAt: number }

/**
 * A value of another server. Where it does not come in time, or not at all, it is the last one that came; undefined before the first. Calls
 * at the same time share one reading.
 */
export function lastKnown<T>(
  read: () => Promise<T>,
  { waitMs = WAIT_MS, now = Date.now }: { waitMs?: number; now?: Clock } = {},
): () => Promise<KnownValue<T> | undefined> {
  let known: KnownValue<T> | undefined
  let reading: Promise<void> | undefined
  async function readNow(): Promise<void> {
    const readAt = now()
    try {
      known = { value: await read(), readAt }
    } catch {
      // The age of the last one says so.
    }
  }
  return async () => {
    reading ??= readNow().finally(() => {
      reading = undefined
    })
    const late = new AbortController()
    const wait = pause(waitMs, undefined, { ref: false, signal: late.signal }).catch(() => {})
    await Promise.race([reading, wait])
    late.abort()
    return known
  }
}
