import type { JobProgress, JobRecord } from '../../contract/job.ts'
import type { Clock } from '../../kit/clock.ts'
import type { ServerWait } from '../../kit/patience.ts'
import { type JobView, sumOf, versionOf } from './job-view.ts'
import { Pace, secondsLeft } from './pace.ts'

/** The progress of a run that views have, and how fast it grows. */
export class ShownProgress {
  /** Milliseconds that only grow: a change of the system clock changes no rate. */
  readonly #monotonic: Clock
  #shown: JobProgress | undefined
  #begunAt: number | undefined
  #seenPace = new Pace()
  #writtenPace = new Pace()

  constructor(monotonic: Clock) {
    this.#monotonic = monotonic
  }

  /** A run that begins shows nothing of the one before. */
  drop(): void {
    this.#shown = undefined
    this.#begunAt = undefined
    this.#seenPace = new Pace()
    this.#writtenPace = new Pace()
  }

  /** Whether a progress is newer than the shown one: readings of the store may arrive in another order. */
  isNewer(progress: JobProgress): boolean {
    return this.#shown === undefined || sumOf(progress) > sumOf(this.#shown)
  }

  /** What the run waits for. */
  get wait(): ServerWait | undefined {
    return this.#shown?.waits?.now
  }

  /** `progress` may be the same object each time. */
  show(progress: JobProgress): void {
    const now = this.#monotonic()
    this.#shown = progress
    this.#begunAt ??= now
    this.#seenPace.note(now, progress.chunks.seen)
    this.#writtenPace.note(now, progress.chunks.written)
  }

  /** The view of a running job; undefined before there is any progress. */
  viewOf(record: JobRecord): JobView | undefined {
    const shown = this.#shown
    if (!shown) return undefined
    const now = this.#monotonic()
    const { seen, written } = shown.chunks
    const rate = this.#seenPace.perSecond(now, seen)
    const rates = { seen: rate, written: this.#writtenPace.perSecond(now, written) }
    return {
      ...record,
      progress: structuredClone(shown),
      rate,
      etaSeconds: secondsLeft(shown, now - (this.#begunAt ?? now), rates),
      version: versionOf(record, shown),
    }
  }
}
