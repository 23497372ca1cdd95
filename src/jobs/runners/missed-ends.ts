import type { JobRecord, JobStore } from '../../contract/job.ts'
import type { ActiveJob } from '../active/active-job.ts'
import type { ActiveJobs } from '../active/active-jobs.ts'

/** How far the clocks of members may differ, in milliseconds. */
const CLOCKS_DIFFER = 5000

/** How many ends are read at once, the latest ones: a member that was away for long tells no more. */
const MOST_ENDS = 1000

type MissedEnds = {
  /** As that of the runner. */
  watch(listener: (job: ActiveJob) => void): () => void
  /** Tells of the jobs that ended after a reading of the open jobs, given by its time in ms since 1970, and that were in none. */
  tell(readAt: number): Promise<void>
}

/**
 * A job that begins and ends on another member between two readings of the open jobs is in neither. Those who follow all jobs hear of it
 * from here; while nobody does, nothing is read.
 */
export function missedEnds(
  active: ActiveJobs,
  { store, clock }: { store: Pick<JobStore, 'endedSince'>; clock(): number },
): MissedEnds {
  /** The ends that were told, and when. */
  const told = new Map<string, number>()
  let followers = 0
  let followedSince = 0
  active.watch((job) => {
    if (job.isOver) told.set(endOf(job.record), clock())
  })

  return {
    watch(listener) {
      if (followers++ === 0) followedSince = clock()
      const unwatch = active.watch(listener)
      return () => {
        unwatch()
        followers--
      }
    },

    async tell(readAt) {
      const since = Math.max(readAt, followedSince) - CLOCKS_DIFFER
      for (const [end, at] of told) if (at < since - CLOCKS_DIFFER) told.delete(end)
      if (followers === 0) return
      for (const record of await store.endedSince(since, MOST_ENDS)) {
        if (active.has(record.id) || told.has(endOf(record))) continue
        active.end(active.take(record), record)
      }
    },
  }
}

/** A job that is retried ends more than once. */
const endOf = ({ id, changes }: JobRecord): string => `${id} ${changes}`
