import type { JobFile, JobRecord } from './job.ts'
import type { Lease } from './leases.ts'

/** Rung when a job may begin. */
export const JOB_WAITS = 'jobs'

/** Rung when a job has changed: its state, its progress, or that a client has cancelled it. */
export const JOB_CHANGED = 'job changes'

/** A job that began on this member, and the lease of its namespace. `job.changes` tells this attempt from any later one. */
export type ClaimedJob = { job: JobRecord; lease: Lease }

/** A queued or running job. */
export type OpenJob = {
  job: JobRecord
  /** A client has cancelled it: it does not begin, and where it runs, its member ends it. */
  isCancelled: boolean
}

/** The queued jobs of all members. The jobs of a member that is gone are queued again. */
export type JobQueue = {
  /**
   * Begins the next job: of the owner with the fewest running jobs, then the owner and the flow whose jobs have waited longest since
   * one of them began; the oldest of that owner in its namespace, where no member has the lease of that. Undefined where there is none.
   *
   * @param now in ms since 1970
   * @param options.idleOnly takes only jobs of owners without a running one
   * @param options.folders of jobs with uploads only those with a folder of these, and no later one of their owner in their namespace
   */
  claim(
    now: number,
    options?: { idleOnly?: boolean; folders?: readonly string[] | undefined },
  ): Promise<ClaimedJob | undefined>
  /** The queued and running jobs of all members, oldest first. */
  open(): Promise<OpenJob[]>
  /** Notes that a client has cancelled a queued or running job. */
  cancel(id: string): Promise<void>
  /** Stores the files of a running job, for the other members. @param changes those of the job when this attempt began */
  noteFiles(id: string, files: readonly JobFile[], changes: number): Promise<void>
}
