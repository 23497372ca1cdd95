import { hasEnded } from '../has-ended.ts'
import type { JobFile, JobProgress, JobRecord, WaitsFor } from '../../contract/job.ts'
import type { Clock } from '../../kit/clock.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { ServerWait } from '../../kit/patience.ts'
import { type JobView, stillView } from './job-view.ts'
import { ShownProgress } from './shown-progress.ts'

/** `uploads`: the names of the files that were sent. `chatId`: their conversation. */
export type JobOrigin = { uploads: ReadonlySet<string>; chatId: string | undefined }

/** A job that is queued or running: its record, and its newer progress. */
export class ActiveJob {
  /** Stops the present run; its reason is the error of the job. */
  #stop = new AbortController()
  readonly #end = Promise.withResolvers<JobRecord>()
  readonly #watchers = new Set<() => void>()
  /** Whether views have what the store has, as on every other node: progress that is newer here would fall there. */
  readonly #showsStored: boolean
  readonly #placeOf: (id: string) => number | undefined
  #record: JobRecord
  /** The progress of the run in this process. */
  #progress: JobProgress | undefined
  /** The progress that views have. */
  readonly #shown: ShownProgress
  #files: readonly JobFile[] | undefined
  /** What its request says of its files; undefined before its run begins. */
  origin: JobOrigin | undefined
  #waitsFor: WaitsFor | undefined
  #over = false
  #cancelled = false

  constructor(
    record: JobRecord,
    {
      showsStored = false,
      monotonic = () => performance.now(),
      placeOf = () => undefined,
    }: { showsStored?: boolean; monotonic?: Clock; placeOf?: (id: string) => number | undefined } = {},
  ) {
    this.#record = record
    this.#placeOf = placeOf
    this.#showsStored = showsStored
    this.#shown = new ShownProgress(monotonic)
    if (record.progress) this.noteStored(record.progress, record.changes)
    // There may be no listener.
    this.#end.promise.catch(() => {})
  }

  /** Aborts when the present run shall stop; its reason is the error of the job. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Resolves with the record of its end. @throws SluiceError `stopping` if this process ends before the job */
  get end(): Promise<JobRecord> {
    return this.#end.promise
  }

  get id(): string {
    return this.#record.id
  }

  /** The record in the store. */
  get record(): JobRecord {
    return this.#record
  }

  /** Whether the job changes no more in this process. */
  get isOver(): boolean {
    return this.#over
  }

  /** That of the run in this process, newer than what views have. */
  get progress(): JobProgress | undefined {
    return this.#progress
  }

  /** The files of the run; undefined before it begins, and for a job without files. */
  get files(): readonly JobFile[] | undefined {
    return this.#files
  }

  /** The files that clients are shown; undefined where these are in the store. */
  get shownFiles(): readonly JobFile[] | undefined {
    return this.#showsStored ? undefined : this.#files
  }

  get isCancelled(): boolean {
    return this.#cancelled
  }

  /** Cancels the job for a client. */
  cancel(): void {
    this.#cancelled = true
    this.interrupt(new SluiceError('cancelled'))
  }

  /** Stops the present run, for a reason of this process. */
  interrupt(reason: SluiceError): void {
    this.#stop.abort(reason)
  }

  /** After a run that was given up: the next one begins anew, here or on another member. */
  renew(): void {
    this.#stop = new AbortController()
    this.#progress = undefined
    this.#files = undefined
    this.#shown.drop()
  }

  /** Takes what the store has of a job that runs on another member. */
  follow(record: JobRecord): void {
    if (record.changes > this.#record.changes) {
      if (record.state === 'queued') this.renew()
      this.enter(record)
    }
    if (record.progress) this.noteStored(record.progress, record.changes)
  }

  /** The store has this progress, of the attempt that began with so many changes. Views have the newest of it. */
  noteStored(progress: JobProgress, changes: number): void {
    if (!this.#showsStored || changes !== this.#record.changes) return
    if (this.#shown.isNewer(progress)) this.#show(progress)
  }

  view(): JobView {
    const record = this.#record
    if (record.state === 'queued') return this.#waitingView()
    return (record.state === 'running' ? this.#shown.viewOf(record) : undefined) ?? stillView(record)
  }

  #waitingView(): JobView {
    const place = this.#placeOf(this.id)
    const still = stillView(this.#record)
    const waitsFor = this.#waitsFor
    return {
      ...still,
      ...(place === undefined ? {} : { place }),
      ...(waitsFor === undefined ? {} : { waitsFor }),
      version: `${this.#record.changes}.${place ?? 0}${waitsFor === undefined ? '' : '.waits'}`,
    }
  }

  /** Notes the progress of the run. `progress` may be the same object each time. */
  advance(progress: JobProgress): void {
    this.#progress = progress
    if (!this.#showsStored) this.#show(progress)
  }

  #show(progress: JobProgress): void {
    this.#shown.show(progress)
    this.#notify()
  }

  /** What the run waits for besides its own work: a server outside that does not take its calls. */
  get serverWait(): ServerWait | undefined {
    return this.#record.state === 'running' ? this.#shown.wait : undefined
  }

  /** Takes the rows of the files, which change while the job runs. */
  takeFiles(rows: readonly JobFile[]): void {
    this.#files = rows
  }

  /** Notes a new state of the job. */
  enter(record: JobRecord): void {
    if (record.changes !== this.#record.changes && !hasEnded(record.state)) this.#shown.drop()
    this.#record = record
    if (record.state !== 'queued') this.#waitsFor = undefined
    if (hasEnded(record.state)) {
      this.#over = true
      this.#end.resolve(record)
    }
    this.#notify()
  }

  /** The job does not end in this process: the next start continues it, or it was removed with its flow. */
  abandon(error: SluiceError): void {
    this.#over = true
    this.#end.reject(error)
    this.#notify()
  }

  /** Calls `listener` at every change. Returns what ends the calls. */
  watch(listener: () => void): () => void {
    this.#watchers.add(listener)
    return () => void this.#watchers.delete(listener)
  }

  /** What this job waits for besides its turn. */
  noteWaitsFor(waitsFor: WaitsFor | undefined): void {
    if (waitsFor === this.#waitsFor) return
    this.#waitsFor = waitsFor
    this.#notify()
  }

  /** The place of this waiting job may be another one. */
  noteMoved(): void {
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#watchers) listener()
  }
}
