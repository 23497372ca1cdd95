import type { ActiveJob, JobView } from './active-job.ts'

/** How far views of one job lie apart at the least, in milliseconds; its end does not wait. */
const GAP = 250

/** Shows a job whenever it has changed since it was `seen`, until it is over or the signal says that nobody looks. */
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
