import { useFollowedJob } from '../../../parts/use-followed-job.ts'
import type { Job } from '../../../server/jobs.ts'
import { openRepair, startRepair } from '../../../server/repair.ts'

export type RepairWork = {
  /** The comparison or repair, as it is now; undefined until it has begun. */
  job: Job | undefined
  /** Why it could not begin. */
  refusal: string | undefined
  start(dryRun: boolean): Promise<void>
  /** Ends a comparison; a repair goes on. */
  leave(): void
  cancel(): void
}

/**
 * Follows the repair of a flow that runs, or begins with a comparison.
 *
 * @param onEnd called when a repair has ended
 */
export function useRepair(flow: string, onEnd: (job: Job) => void): RepairWork {
  const { job, refusal, start, cancel } = useFollowedJob({
    find: () => openRepair(flow),
    onNone: () => void begin(true),
    onEnd(now) {
      if (now.kind === 'repair') onEnd(now)
    },
  })
  const begin = (dryRun: boolean) => start(() => startRepair(flow, dryRun))
  return {
    ...{ job, refusal, cancel, start: begin },
    leave() {
      if (job?.kind === 'verify') cancel()
    },
  }
}
