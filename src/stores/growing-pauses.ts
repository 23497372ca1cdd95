import type { Clock } from '../kit/clock.ts'

/** The pause after the second failure, and the longest one, in milliseconds. */
const FIRST_MS = 20_000
const LONGEST_MS = 3_600_000

/** Pauses between attempts at things with a name: none after the first failure, then each twice as long, an hour at most. */
export function growingPauses(clock: Clock = Date.now) {
  const failed = new Map<string, { times: number; until: number }>()
  return {
    /** Whether it is time for the next attempt. */
    isDue: (name: string): boolean => clock() >= (failed.get(name)?.until ?? 0),
    failed(name: string): void {
      const times = (failed.get(name)?.times ?? 0) + 1
      const pause = times === 1 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - 2))
      failed.set(name, { times, until: clock() + pause })
    },
    /** The next attempt is the first one again. */
    end(name: string): void {
      failed.delete(name)
    },
  }
}
