import type { JobProgress } from '../../contract/job.ts'

/** The period of the rate, and the shortest time between two samples, in milliseconds. */
const WINDOW = 10_000
const STEP = 200

/** Chunks per second, over the last seconds. */
export class Pace {
  readonly #samples: { time: number; count: number }[] = []

  /** Takes a sample of a count that only grows. */
  note(time: number, count: number): void {
    const last = this.#samples.at(-1)
    if (last && time - last.time < STEP) return
    this.#samples.push({ time, count })
    while (this.#samples.length > 2 && time - this.#samples[1]!.time >= WINDOW) this.#samples.shift()
  }

  /** Counts per second until now; null while there are too few samples. */
  perSecond(time: number, count: number): number | null {
    const first = this.#samples.findLast((sample) => time - sample.time >= WINDOW) ?? this.#samples[0]
    if (!first || time - first.time < STEP) return null
    return Math.round(((count - first.count) * 10_000) / (time - first.time)) / 10
  }
}

/**
 * How many seconds a job will still take. While files are read: by the share of bytes that is done, or of files if their
 * sizes are not known; while questions are asked by those that were. Then: by the chunks that are not written yet and the number written per second. While points are
 * compared: by those that are not read yet, or not mended yet, whichever takes longer. Null while the total is not known or
 * nothing is done.
 */
export function secondsLeft(
  { stage, files, chunks, points, questions }: JobProgress,
  elapsedMs: number,
  rates: { seen: number | null; written: number | null },
): number | null {
  if (stage === 'publish') return 0
  const toWrite = () => secondsOf(chunks.due - chunks.written, rates.written)
  if (stage === 'embed') return toWrite()
  if (points) {
    const toRead = secondsOf(points.passes * points.total - chunks.seen, rates.seen)
    // What is written is read first: while nothing was, its rate is not known.
    return stage === 'repair' && toRead !== null ? Math.max(toRead, toWrite() ?? 0) : toRead
  }
  if (!files.known) return null
  const { done, total } = questions ?? (files.bytes && files.bytes.total > 0 ? files.bytes : files)
  return done === 0 ? null : Math.ceil((elapsedMs * (total - done)) / done / 1000)
}

const secondsOf = (left: number, rate: number | null): number | null =>
  left <= 0 ? 0 : rate ? Math.ceil(left / rate) : null
