import type { JobRecord } from '../contract/job.ts'
import { ActiveJob } from './active-job.ts'

/** Runs the queued jobs. */
export type JobRunner = {
  /** The queued and running jobs by id: on a database of several nodes those of all of them, as this node knows them. */
  readonly active: ReadonlyMap<string, ActiveJob>
  /** How many jobs run on this node. */
  readonly running: number
  /** When this node last read all of them, in ms since 1970; undefined where only this process has jobs, and knows them all. */
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
  /** Stops what runs here and puts it back into the queue, for other nodes or the next start. */
  close(): Promise<void>
}

/** The jobs that are queued or running, and those who watch them. */
export class ActiveJobs extends Map<string, ActiveJob> {
  readonly #watchers = new Set<(job: ActiveJob) => void>()
  readonly #showsStored: boolean

  /** @param showsStored see `ActiveJob` */
  constructor({ showsStored = false }: { showsStored?: boolean } = {}) {
    super()
    this.#showsStored = showsStored
  }

  /** The job of a record; it is added where it is new. */
  take(record: JobRecord): ActiveJob {
    const known = this.get(record.id)
    if (known) return known
    const job = new ActiveJob(record, { showsStored: this.#showsStored })
    this.set(job.id, job)
    const notify = () => {
      for (const listener of this.#watchers) listener(job)
    }
    job.watch(notify)
    notify()
    return job
  }

  /** Removes a job that has ended. */
  end(job: ActiveJob, record: JobRecord): void {
    this.delete(job.id)
    job.enter(record)
  }

  /** Removes a job that does not end in this process. */
  abandon(job: ActiveJob, ...reason: Parameters<ActiveJob['abandon']>): void {
    this.delete(job.id)
    job.abandon(...reason)
  }

  /** Calls `listener` at every change of any job. Returns what ends the calls. */
  watch(listener: (job: ActiveJob) => void): () => void {
    this.#watchers.add(listener)
    return () => void this.#watchers.delete(listener)
  }
}

/** The end of a cancelled job; undefined if it was removed with its flow. */
export const endOfCancelled = (job: ActiveJob): Promise<JobRecord | undefined> =>
  job.end.catch((error: { code?: string }) => {
    if (error.code === 'cancelled') return undefined
    throw error
  })
