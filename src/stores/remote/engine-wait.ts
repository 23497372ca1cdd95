import { setTimeout as sleep } from 'node:timers/promises'
import { currentPatience, type OpenWait } from '../../kit/patience.ts'

/** The longest time that a job waits for a server which refuses its calls or does not answer, in milliseconds. */
const LONGEST_WAIT_MS = 3_600_000

/** For how long a job waits for one answer, in milliseconds: a batch of writes may need some time. */
const ANSWER_MS = 120_000

/** After so long without an answer a job says that it waits, in milliseconds; sooner where requests have less time. */
const SILENCE_MS = 5000

/** How one call, or one list of writes, goes on after failures that may pass. */
export type EngineWait = {
  /**
   * Whether there is another attempt; a job then says that it waits.
   *
   * @param attempt how many attempts have failed in succession
   * @param askedMs how long the server wants to be left alone, in milliseconds
   */
  goesOn(reason: string, attempt: number, askedMs?: number): boolean
  /** Ends the present attempt: call `end` when it has ended. `reason` tells who has aborted it. */
  attempt(late: Error): { signal: AbortSignal; end(): void }
  pause(ms: number): Promise<void>
  /** The server has taken something, or the work has ended. */
  over(): void
}

export type EngineWaitOptions = {
  server: string
  /** How long a request waits, all attempts together. */
  timeoutMs: number
  /** How many attempts there are, unless a job waits. */
  attempts: number
  /** Whether the server has answered to this process: a wrong address is not waited for. */
  hasAnswered(): boolean
  wait?: ((ms: number) => Promise<unknown>) | undefined
}

/** What the running work may wait: see `kit/patience.ts`. */
export function engineWait({
  server,
  timeoutMs,
  attempts,
  hasAnswered,
  wait,
}: EngineWaitOptions): EngineWait {
  const patience = currentPatience() ?? { until: performance.now() + timeoutMs }
  let open: OpenWait | undefined
  let beganAt: number | undefined

  const untilEnd = () => ('until' in patience ? Math.max(1, patience.until - performance.now()) : ANSWER_MS)

  function note(reason: string): void {
    if (!('signal' in patience)) return
    if (open) open.note(reason)
    else open = patience.begin(server, reason)
  }

  return {
    goesOn(reason, attempt, askedMs = 0) {
      if ('until' in patience) return attempt < attempts && askedMs < untilEnd() && untilEnd() > 1
      patience.signal.throwIfAborted()
      beganAt ??= performance.now()
      const isThere = hasAnswered() || patience.isExpected === true
      const mayWait = isThere ? performance.now() - beganAt < LONGEST_WAIT_MS : attempt < attempts
      if (mayWait) note(reason)
      return mayWait
    },

    attempt(late) {
      const stop = new AbortController()
      const timers = [setTimeout(() => stop.abort(late), untilEnd())]
      if ('signal' in patience)
        timers.push(setTimeout(() => note('no answer'), Math.min(SILENCE_MS, timeoutMs / 4)))
      return {
        signal: 'signal' in patience ? AbortSignal.any([patience.signal, stop.signal]) : stop.signal,
        end: () => timers.forEach(clearTimeout),
      }
    },

    async pause(ms) {
      if ('until' in patience) return void (await (wait ?? sleep)(Math.min(ms, untilEnd())))
      const { signal } = patience
      if (wait) await wait(ms)
      else
        await sleep(ms, undefined, { signal }).catch(() => {
          // Its reason is the failure, thrown below.
        })
      signal.throwIfAborted()
    },

    over() {
      open?.end()
      open = undefined
      beganAt = undefined
      if ('until' in patience && patience.afterMs !== undefined)
        patience.until = performance.now() + patience.afterMs
    },
  }
}
