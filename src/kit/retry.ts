import { setTimeout as pause } from 'node:timers/promises'

/** That another attempt may help, or undefined; `afterMs` where the other side said how long to wait. */
export type Verdict = { afterMs?: number | undefined } | undefined

export type RetryOptions = {
  /** Judges a failure. */
  verdict(error: unknown): Verdict
  /** How often at the most, the first time included. */
  attempts?: number
  /** The wait before the second attempt; it doubles from one to the next. In milliseconds. */
  baseMs?: number
  maxMs?: number
  /** Whoever asks for a longer wait than this is not asked again. */
  patienceMs?: number
  signal?: AbortSignal | undefined
  /** From 0 to 1. */
  random?: () => number
  wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

const sleep = (ms: number, signal?: AbortSignal) => pause(ms, undefined, signal ? { signal } : {})

/**
 * Does something again while that may help, waiting twice as long each time. Half of a wait is chance, so that those
 * who failed together do not come back together; a wait that the other side asked for is never shortened.
 *
 * @throws the last failure; the reason of `signal`, at once
 */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts = 5, baseMs = 500, maxMs = 30_000, patienceMs = 120_000, signal } = options
  const { random = Math.random, wait = sleep } = options
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return await work(attempt)
    } catch (error) {
      signal?.throwIfAborted()
      const verdict = options.verdict(error)
      const asked = verdict?.afterMs ?? 0
      if (!verdict || attempt >= attempts || asked > patienceMs) throw error
      const grown = Math.min(maxMs, baseMs * 2 ** (attempt - 1))
      const jitter = (grown / 2) * random()
      await wait(asked > 0 ? asked + jitter : grown / 2 + jitter, signal).catch((failure: unknown) => {
        signal?.throwIfAborted()
        throw failure
      })
    }
  }
}

/**
 * Statuses that pass: too many calls, and servers that are busy, broken or away for the moment (RFC 9110, RFC 6585; 529
 * is Anthropic's).
 */
export const PASSING_STATUS: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 529])

/** `Retry-After` (RFC 9110, 10.2.3), seconds or a date, as milliseconds from now; undefined where it says nothing. */
export function retryAfterMs(header: string | null | undefined, now = Date.now()): number | undefined {
  if (header == null || header.trim() === '') return undefined
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
