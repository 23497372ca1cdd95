import { setTimeout as pause } from 'node:timers/promises'
import { reasonOf } from './errors.ts'

/** A part of a program that ends, and its name in the log. */
export type StopStep = readonly [name: string, end: () => unknown]

/** A part that did not end, and why. */
export type Unfinished = { part: string; reason: string }

/** How long a part takes that ends at once, in milliseconds: it may have to hear that another one was closed. */
const AT_ONCE_MS = 50

/**
 * Ends parts one after the other, as long as there is time. A part that fails keeps no other from ending. When the time is over, those that
 * are left are told to end, and only what ends at once has ended: one of them may wait for a server that does not answer.
 *
 * @returns what has not ended; the process then has to exit by itself, since such a part may keep it alive
 */
export async function stopInTime(steps: readonly StopStep[], limitMs: number): Promise<Unfinished[]> {
  const unfinished: Unfinished[] = []
  const done = new AbortController()
  const over = pause(limitMs, 'over' as const, { signal: done.signal })
  over.catch(() => {})
  for (const [part, end] of steps) {
    const ended = (async () => void (await end()))()
    try {
      // What ends at once has ended also when the time is over.
      if ((await Promise.race([ended, over.then(() => pause(AT_ONCE_MS, 'over' as const))])) === 'over')
        unfinished.push({ part, reason: 'the time for stopping was over' })
    } catch (error) {
      unfinished.push({ part, reason: reasonOf(error) })
    }
    ended.catch(() => {})
  }
  done.abort()
  return unfinished
}
