import type { JobProgress } from '../contract/job.ts'
import { type Patience, patienceOfJob } from '../kit/patience.ts'

/**
 * The progress of a job with what it waits for, and the patience that tells it.
 *
 * @param report gets the progress of the work at each change of it or of its waits; before the work has any, one of zeros
 */
export function progressWithWaits(
  signal: AbortSignal,
  report: (progress: JobProgress) => void,
): { patience: Patience; onProgress(progress: JobProgress): void } {
  let latest: JobProgress = {
    stage: 'parse',
    files: { total: 0, done: 0, failed: 0, known: false },
    chunks: { seen: 0, embedded: 0, written: 0, due: 0 },
  }
  let waits: JobProgress['waits']

  function tell(progress: JobProgress): void {
    latest = progress
    // The work reports one object, which changes.
    if (waits) latest.waits = waits
    report(latest)
  }

  return {
    onProgress: tell,
    patience: patienceOfJob(signal, (now) => {
      waits = { count: (waits?.count ?? 0) + 1, ...(now ? { now } : {}) }
      tell(latest)
    }),
  }
}
