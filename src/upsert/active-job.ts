import { hasEnded, type JobProgress, type JobRecord } from '../contract/job.ts'
import { SluiceError } from '../kit/errors.ts'
import { Pace, secondsLeft } from './pace.ts'

/** A job as it is shown: what is kept of it, and how it goes. */
export type JobView = JobRecord & {
  /** Chunks per second over the last seconds. */
  rate: number | null
  etaSeconds: number | null
  /** Another one whenever anything has changed, also across restarts. */
  version: string
}

/** An ended or waiting job moves no more than its record says. */
export const stillView = (record: JobRecord): JobView => ({
  ...record,
  rate: null,
  etaSeconds: null,
  version: `${record.turn}.0`,
})

/** A job that is queued or running here: its record, and all that is newer than that. */
export class ActiveJob {
  /** Its reason says why the run shall stop. */
  readonly stop = new AbortController()
  readonly #end = Promise.withResolvers<JobRecord>()
  readonly #pace = new Pace()
  readonly #watchers = new Set<() => void>()
  #record: JobRecord
  #progress: JobProgress | undefined
  #steps = 0
  #over = false
  #cancelled = false
  /** Steps out of the row; tells whether the run had not begun. Given by whoever lets it join. */
  leave: () => boolean = () => false

  constructor(record: JobRecord) {
    this.#record = record
    // Nobody may be waiting.
    this.#end.promise.catch(() => {})
  }

  /** Resolves with the record of its end. @throws SluiceError `stopping` where this process ends before the job */
  get end(): Promise<JobRecord> {
    return this.#end.promise
  }

  get id(): string {
    return this.#record.id
  }

  /** What the store has of it. */
  get record(): JobRecord {
    return this.#record
  }

  /** Whether nothing will change any more. */
  get isOver(): boolean {
    return this.#over
  }

  get progress(): JobProgress | undefined {
    return this.#progress
  }

  get isCancelled(): boolean {
    return this.#cancelled
  }

  /** Somebody wants it to end. */
  cancel(): void {
    this.#cancelled = true
    this.stop.abort(new SluiceError('cancelled'))
  }

  view(now: number): JobView {
    const record = this.#record
    if (!this.#progress || record.state !== 'running') return stillView(record)
    const rate = this.#pace.perSecond(now, this.#progress.chunks.seen)
    return {
      ...record,
      progress: structuredClone(this.#progress),
      rate,
      etaSeconds: secondsLeft(this.#progress, now - record.startedAt!, rate),
      version: `${record.turn}.${this.#steps}`,
    }
  }

  /** The run is as far as `progress` says, which may be one object that changes. */
  advance(progress: JobProgress, now: number): void {
    this.#progress = progress
    this.#pace.note(now, progress.chunks.seen)
    this.#steps++
    this.#notify()
  }

  /** The job is in another state. */
  enter(record: JobRecord): void {
    this.#record = record
    if (hasEnded(record.state)) {
      this.#over = true
      this.#end.resolve(record)
    }
    this.#notify()
  }

  /** It does not end here: another start of the server will go on with it, or it went away with its flow. */
  abandon(error: SluiceError): void {
    this.#over = true
    this.#end.reject(error)
    this.#notify()
  }

  /** Calls whenever something has changed; answers how to end that. */
  watch(listener: () => void): () => void {
    this.#watchers.add(listener)
    return () => void this.#watchers.delete(listener)
  }

  #notify(): void {
    for (const listener of this.#watchers) listener()
  }
}
