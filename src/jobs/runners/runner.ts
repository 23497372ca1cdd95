import type { JobRecord } from '../../contract/job.ts'
import type { ActiveJob } from '../active/active-job.ts'

/** How many jobs a process runs at the same time, each in a namespace of its own. */
export const JOBS_AT_ONCE = 4

/**
 * How many jobs a process runs beyond its places, each of an owner who has none running: long jobs in all places do not keep the short one
 * of another owner waiting.
 */
export const SPARE_PLACES = 1

/** Runs the queued jobs. */
export type JobRunner = {
  /** The queued and running jobs by id: on a database of several members those of all of them, as this member knows them. */
  readonly active: ReadonlyMap<string, ActiveJob>
  /** How many jobs run on this member. */
  readonly running: number
  /** When this member last read all of them, in ms since 1970; undefined where only this process has jobs, and knows them all. */
  readonly readAt?: number | undefined
  /** Calls `listener` at every change of any job, also at its end. Returns what ends the calls. */
  watch(listener: (job: ActiveJob) => void): () => void
  /** Begins to run queued jobs, also those of an earlier process. */
  start(): Promise<void>
  /** Resolves when `active` has all jobs that were queued before the call. */
  current(): Promise<void>
  /** Has a queued job run when its turn comes. */
  enqueue(record: JobRecord): void
  /** The job of a record, unless it has ended or this runner is closed. */
  find(record: JobRecord): ActiveJob | undefined
  /** Cancels a queued or running job. Resolves with its record, or undefined if it was removed with its flow. */
  cancel(job: ActiveJob): Promise<JobRecord | undefined>
  /** Stops what runs here and puts it back into the queue, for other members or the next start. */
  close(): Promise<void>
}
