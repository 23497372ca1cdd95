import { setTimeout as pause } from 'node:timers/promises'

/** Says that another attempt may help. `afterMs`: the wait that the other side has requested, in milliseconds. */
export type RetryDecision = { afterMs?: number | undefined } | undefined

export type RetryOptions = {
  /** Decides whether a failure is worth another attempt; undefined if it is not. */
  verdict(error: unknown): RetryDecision
  /** The most attempts, the first one included. */
  attempts?: number
  /** The wait before the second attempt, in milliseconds. It doubles for each further attempt. */
  baseMs?: number
  maxMs?: number
  /** The longest wait that is accepted from the other side, in milliseconds: beyond it there is no other attempt. */
  patienceMs?: number
  signal?: AbortSignal | undefined
  /** A random number from 0 to 1. */
  random?: () => number
  wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

const sleep = (ms: number, signal?: AbortSignal) => pause(ms, undefined, signal ? { signal } : {})

/**
 * Repeats a call while that may help, with a wait that doubles each time. Half of a wait is random, so that clients which
 * failed together do not retry together. A wait that the other side has requested is never shortened.
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
 * Statuses of temporary failures: too many calls, and servers that are busy, broken or not reachable (RFC 9110, RFC 6585;
 * 529 is Anthropic's).
 */
export const PASSING_STATUS: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 529])

/** The time by the clock of the other side, by its header `Date`, in milliseconds since 1970; by that of this machine where it has none. */
export function timeIn(date: string | null | undefined): number {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? Date.now() : time
}

/** `Retry-After` (RFC 9110, 10.2.3), seconds or a date, as milliseconds from now; undefined if it is absent or invalid. */
export function retryAfterMs(header: string | null | undefined, now = Date.now()): number | undefined {
  if (header == null || header.trim() === '') return undefined
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
