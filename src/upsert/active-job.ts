import {
  hasEnded,
  JOB_STAGES,
  type JobFile,
  type JobProgress,
  type JobRecord,
  type WaitsFor,
} from '../contract/job.ts'
import type { Clock } from '../kit/clock.ts'
import { SluiceError } from '../kit/errors.ts'
import { Pace, secondsLeft } from './pace.ts'

/** A job for clients: its record, and its progress at this moment. */
export type JobView = JobRecord & {
  /** Chunks per second over the last seconds. */
  rate: number | null
  etaSeconds: number | null
  /** Of a waiting job its place in the queue, from 1; absent for any other. */
  place?: number
  /** What a waiting job waits for besides its turn: its files are in a bucket that is away. */
  waitsFor?: WaitsFor
  /** Differs whenever anything has changed, also across restarts. */
  version: string
}

/** The view of a job by its record alone. */
export const stillView = (record: JobRecord): JobView => ({
  ...record,
  rate: null,
  etaSeconds: null,
  version: versionOf(record, record.progress),
})

/** The same for the same state and counts on every node, since counts only grow: their sum. */
const versionOf = ({ turn, state }: JobRecord, progress: JobProgress | null | undefined): string =>
  `${turn}.${state === 'running' && progress ? sumOf(progress) : 0}`

function sumOf(progress: JobProgress): number {
  const { files, chunks, nodes = [], stage } = progress
  let sum = JOB_STAGES.indexOf(stage) + files.total + files.done + files.failed + Number(files.known)
  sum += (files.bytes?.total ?? 0) + (files.bytes?.done ?? 0)
  for (const count of Object.values(chunks)) sum += count
  for (const { files, documents, chunks, embedded, reused, errors } of nodes)
    sum += files + documents + chunks + embedded + reused + errors
  return sum
}

/** `uploads`: the names of the files that were sent. `chatId`: their conversation. */
export type JobOrigin = { uploads: ReadonlySet<string>; chatId: string | undefined }

/** A job that is queued or running: its record, and its newer progress. */
export class ActiveJob {
  /** Stops the present run; its reason is the error of the job. */
  #stop = new AbortController()
  readonly #end = Promise.withResolvers<JobRecord>()
  #seenPace = new Pace()
  #writtenPace = new Pace()
  /** Milliseconds that only grow: a change of the system clock changes no rate. */
  readonly #monotonic: Clock
  #begunAt: number | undefined
  readonly #watchers = new Set<() => void>()
  /** Whether views have what the store has, as on every other node: progress that is newer here would fall there. */
  readonly #showsStored: boolean
  readonly #placeOf: (id: string) => number | undefined
  #record: JobRecord
  /** The progress of the run in this process. */
  #progress: JobProgress | undefined
  /** The progress that views have. */
  #shown: JobProgress | undefined
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
    this.#monotonic = monotonic
    if (record.progress) this.noteStored(record.progress, record.turn)
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

  /** After a run that was given up: the next one begins anew, here or on another node. */
  renew(): void {
    this.#stop = new AbortController()
    this.#progress = undefined
    this.#files = undefined
    this.#forgetShown()
  }

  #forgetShown(): void {
    this.#shown = undefined
    this.#begunAt = undefined
    this.#seenPace = new Pace()
    this.#writtenPace = new Pace()
  }

  /** Takes what the store has of a job that runs on another node. */
  follow(record: JobRecord): void {
    if (record.turn > this.#record.turn) {
      if (record.state === 'queued') this.renew()
      this.enter(record)
    }
    if (record.progress) this.noteStored(record.progress, record.turn)
  }

  /**
   * The store has this progress, of the run that began with a turn. Views have the newest of it: readings of the store may arrive in
   * another order.
   */
  noteStored(progress: JobProgress, turn: number): void {
    if (!this.#showsStored || turn !== this.#record.turn) return
    if (this.#shown === undefined || sumOf(progress) > sumOf(this.#shown)) this.#show(progress)
  }

  view(): JobView {
    const record = this.#record
    const shown = this.#shown
    if (record.state === 'queued') return this.#waitingView()
    if (!shown || record.state !== 'running') return stillView(record)
    const now = this.#monotonic()
    const { seen, written } = shown.chunks
    const writeRate = this.#writtenPace.perSecond(now, written)
    return {
      ...record,
      progress: structuredClone(shown),
      rate: this.#seenPace.perSecond(now, seen),
      etaSeconds: secondsLeft(shown, now - (this.#begunAt ?? now), writeRate),
      version: versionOf(record, shown),
    }
  }

  #waitingView(): JobView {
    const place = this.#placeOf(this.id)
    const still = stillView(this.#record)
    const waitsFor = this.#waitsFor
    return {
      ...still,
      ...(place === undefined ? {} : { place }),
      ...(waitsFor === undefined ? {} : { waitsFor }),
      version: `${this.#record.turn}.${place ?? 0}${waitsFor === undefined ? '' : '.waits'}`,
    }
  }

  /** Notes the progress of the run. `progress` may be the same object each time. */
  advance(progress: JobProgress): void {
    this.#progress = progress
    if (!this.#showsStored) this.#show(progress)
  }

  #show(progress: JobProgress): void {
    const now = this.#monotonic()
    this.#shown = progress
    this.#begunAt ??= now
    this.#seenPace.note(now, progress.chunks.seen)
    this.#writtenPace.note(now, progress.chunks.written)
    this.#notify()
  }

  /** Takes the rows of the files, which change while the job runs. */
  takeFiles(rows: readonly JobFile[]): void {
    this.#files = rows
  }

  /** Notes a new state of the job. */
  enter(record: JobRecord): void {
    // A run that begins shows nothing of the one before.
    if (record.turn !== this.#record.turn && !hasEnded(record.state)) this.#forgetShown()
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
