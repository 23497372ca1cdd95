import type { ActiveJob } from './active-job.ts'
import type { JobView } from './job-view.ts'

/** The shortest time between two views of a job, in milliseconds. The last view does not wait. */
const GAP = 250

/** Yields a view of a job whenever its version differs from `seen`, until the job is over or the signal aborts. */
export async function* follow(
  job: ActiveJob,
  { seen, signal }: { seen?: string | undefined; signal: AbortSignal },
): AsyncGenerator<JobView> {
  let changed: boolean
  let wake = () => {}
  let hurry = () => {}
  const onChange = () => {
    changed = true
    wake()
    if (job.isOver || signal.aborted) hurry()
  }
  const unwatch = job.watch(onChange)
  signal.addEventListener('abort', onChange, { once: true })
  try {
    while (!signal.aborted) {
      changed = false
      const view = job.view()
      if (view.version !== seen) yield view
      seen = view.version
      if (changed && !job.isOver) await pause()
      if (changed) continue
      if (job.isOver) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      await pause()
    }
  } finally {
    unwatch()
    signal.removeEventListener('abort', onChange)
  }

  async function pause(): Promise<void> {
    if (job.isOver || signal.aborted) return
    await new Promise<void>((resolve) => {
      hurry = resolve
      setTimeout(resolve, GAP).unref()
    })
  }
}
