import { hasEnded, type JobProgress, type JobRecord } from '../contract/job.ts'
import type { Clock } from '../kit/clock.ts'
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
  readonly #seenPace = new Pace()
  readonly #writtenPace = new Pace()
  /** Milliseconds that only grow: what a person sets the clock of the machine to changes no rate. */
  readonly #monotonic: Clock
  #begunAt: number | undefined
  readonly #watchers = new Set<() => void>()
  #record: JobRecord
  #progress: JobProgress | undefined
  #steps = 0
  #over = false
  #cancelled = false

  constructor(record: JobRecord, monotonic: Clock = () => performance.now()) {
    this.#record = record
    this.#monotonic = monotonic
    // There may be no listener.
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

  /** A client wants it to end. */
  cancel(): void {
    this.#cancelled = true
    this.stop.abort(new SluiceError('cancelled'))
  }

  view(): JobView {
    const record = this.#record
    if (!this.#progress || record.state !== 'running') return stillView(record)
    const now = this.#monotonic()
    const { seen, written } = this.#progress.chunks
    const writeRate = this.#writtenPace.perSecond(now, written)
    return {
      ...record,
      progress: structuredClone(this.#progress),
      rate: this.#seenPace.perSecond(now, seen),
      etaSeconds: secondsLeft(this.#progress, now - (this.#begunAt ?? now), writeRate),
      version: `${record.turn}.${this.#steps}`,
    }
  }

  /** The run is as far as `progress` says, which may be one object that changes. */
  advance(progress: JobProgress): void {
    const now = this.#monotonic()
    this.#progress = progress
    this.#begunAt ??= now
    this.#seenPace.note(now, progress.chunks.seen)
    this.#writtenPace.note(now, progress.chunks.written)
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
