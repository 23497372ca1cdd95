import type { Log } from '../kit/log.ts'
import { stopInTime, type StopStep, type Unfinished } from '../kit/stop-in-time.ts'

/** How long the parts of the server may take to end, in milliseconds. */
const CLOSE_MS = 4000

/** What has been opened, and how it ends: the last that was opened first. */
export type Closing = {
  /** @param part its name in the log where it does not end */
  add(part: string, end: StopStep[1]): void
  /** Ends all parts. What has not ended is in the log: a database or a bucket that is away does not keep the server. */
  end(): Promise<Unfinished[]>
}

/** @param log gives the log at the end of the parts */
export function createClosing(log: () => Log): Closing {
  const steps: StopStep[] = []
  return {
    add: (part, end) => void steps.push([part, end]),
    async end() {
      const unfinished = await stopInTime(steps.splice(0).reverse(), CLOSE_MS)
      for (const { part, reason } of unfinished) log().warn('part-not-finished', { part, reason })
      return unfinished
    },
  }
}
