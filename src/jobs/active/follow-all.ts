import type { ActiveJob } from './active-job.ts'
import type { JobView } from './job-view.ts'
import type { JobRunner } from '../runners/runner.ts'

/** The shortest time between two rounds of changes, in milliseconds. */
const GAP = 250

export type FollowAllOptions = {
  /** Read once the changes are watched. */
  first(): Promise<readonly JobView[]>
  /** Ends when no job is queued or running. */
  untilIdle: boolean
  signal: AbortSignal
}

/**
 * Yields what `first` reads, then all queued and running jobs, then jobs that change, until the signal aborts. While the reader is busy
 * the changes of a job become one: at most one view of each job waits.
 */
export async function* followAll(
  { active, watch }: Pick<JobRunner, 'active' | 'watch'>,
  { first, untilIdle, signal }: FollowAllOptions,
): AsyncGenerator<JobView> {
  let waiting = new Map<string, ActiveJob>()
  let wake = () => {}
  const unwatch = watch((job) => {
    waiting.set(job.id, job)
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    for (const [id, job] of active) waiting.set(id, job)
    for (const view of await first()) {
      if (signal.aborted) return
      if (!waiting.has(view.id)) yield view
    }
    while (!signal.aborted) {
      const changed = waiting
      waiting = new Map()
      for (const job of changed.values()) {
        if (signal.aborted) return
        yield job.view()
      }
      if (changed.size > 0) await pause(signal)
      if (waiting.size > 0 || signal.aborted) continue
      if (untilIdle && active.size === 0) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    unwatch()
    signal.removeEventListener('abort', onAbort)
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, GAP).unref()
    signal.addEventListener('abort', end, { once: true })
    function end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
}
