import type { JobRecord } from '../../contract/job.ts'
import { ActiveJob } from './active-job.ts'
import { queuePlaces } from './queue-places.ts'
import type { UploadsAway } from '../runners/uploads-away.ts'

/** The jobs that are queued or running, and those who watch them. */
export class ActiveJobs extends Map<string, ActiveJob> {
  readonly #watchers = new Set<(job: ActiveJob) => void>()
  readonly #showsStored: boolean
  /** Made when it is first asked for after a change of the queue. */
  #places: Map<string, number> | undefined
  #isTellingPlaces = false

  /** @param showsStored see `ActiveJob` */
  constructor({ showsStored = false }: { showsStored?: boolean } = {}) {
    super()
    this.#showsStored = showsStored
  }

  /** The job of a record; it is added where it is new. */
  take(record: JobRecord): ActiveJob {
    const known = this.get(record.id)
    if (known) return known
    const job = new ActiveJob(record, {
      showsStored: this.#showsStored,
      placeOf: (id) => this.#placeOf(id),
    })
    this.set(job.id, job)
    let { state } = record
    const notify = () => {
      // A change of its place alone is told to those who follow this job, not to those who follow all.
      if (this.#isTellingPlaces) return
      const moves = job.record.state !== state || job.isOver
      state = job.record.state
      if (moves) this.#movePlaces()
      for (const listener of this.#watchers) listener(job)
    }
    job.watch(notify)
    this.#movePlaces()
    notify()
    return job
  }

  /** The job of a record that begins anew. The one before may have its end in the database, and not have told it: it tells it alone. */
  renew(record: JobRecord): ActiveJob {
    this.delete(record.id)
    return this.take(record)
  }

  #placeOf(id: string): number | undefined {
    this.#places ??= queuePlaces([...this.values()].map(({ record }) => record))
    return this.#places.get(id)
  }

  #movePlaces(): void {
    this.#places = undefined
    this.#isTellingPlaces = true
    for (const job of this.values()) if (job.record.state === 'queued') job.noteMoved()
    this.#isTellingPlaces = false
  }

  /** Removes a job that has ended. */
  end(job: ActiveJob, record: JobRecord): void {
    this.#leave(job)
    job.enter(record)
  }

  /** Removes a job that does not end in this process. */
  abandon(job: ActiveJob, ...reason: Parameters<ActiveJob['abandon']>): void {
    this.#leave(job)
    job.abandon(...reason)
  }

  #leave(job: ActiveJob): void {
    if (this.get(job.id) === job) this.delete(job.id)
  }

  /** Calls `listener` at every change of any job. Returns what ends the calls. */
  watch(listener: (job: ActiveJob) => void): () => void {
    this.#watchers.add(listener)
    return () => void this.#watchers.delete(listener)
  }
}

/** Shows of each queued job whether it waits for its uploads. */
export function showWaiting(active: ActiveJobs, uploads: UploadsAway): void {
  void uploads.usable().then((usable) => {
    for (const job of active.values()) {
      const { state, folder } = job.record
      const waits = state === 'queued' && folder !== null && usable !== undefined && !usable.includes(folder)
      job.noteWaitsFor(waits ? 'upload store' : undefined)
    }
  })
}

/** The end of a cancelled job; undefined if it was removed with its flow. */
export const endOfCancelled = (job: ActiveJob): Promise<JobRecord | undefined> =>
  job.end.catch((error: { code?: string }) => {
    if (error.code === 'cancelled') return undefined
    throw error
  })
