import type { ImageExtent, SearchImage } from './passage-copies.ts'

/** When files of images are written. */
export type SavingRules = {
  /** Images with fewer bytes are loaded from the database as quickly. */
  leastBytes: number
  /** How long after a load or an update, in milliseconds: queries and the sweep of an upsert come first. */
  delayMs: number
  /** The least time from one file of an image to the next, in milliseconds. */
  intervalMs: number
  /** The same where little has to be written for what changed. */
  denseIntervalMs: number
  /** From so many changes on, which lie close together, a file is written. */
  denseChanges: number
  /** How long an image must not change before a file that is less than half of it is replaced, in milliseconds. */
  quietMs: number
  /** After this time it is replaced although the image changes again and again, in milliseconds. */
  latestMs: number
}

export const SAVING_RULES: SavingRules = {
  leastBytes: 4 * 2 ** 20,
  delayMs: 1000,
  intervalMs: 60_000,
  denseIntervalMs: 15_000,
  denseChanges: 50_000,
  quietMs: 10_000,
  latestMs: 300_000,
}

/** A file is written where more than one vector in so many was added or removed since the last. */
const CHANGED_SHARE = 20
/** Where more than one vector in so many changed, the file does not wait until the image is quiet. */
const LARGE_SHARE = 2

/** Changes are dense where so many times the bytes of the changed vectors have to be written, or fewer. */
const DENSE = 4

/** A file that is to be written, or is being written. `changes` of the image: its number when it was planned. */
type Planned = {
  timer: NodeJS.Timeout
  at: number
  save: () => void
  changes: number
  writing: boolean
}

/**
 * Writes the files of images in the background, one at a time, where loading them has become slow without. While a load of
 * many upserts runs, what it has added is written every few seconds, so that a start after a kill has to read little from the
 * database. Changes that are spread over the whole image wait until it is quiet, since almost all of it has to be written.
 */
export class ImageSaver {
  readonly #rules: SavingRules
  readonly #noteFailure: (error: unknown) => void
  readonly #planned = new Map<number, Planned>()
  readonly #savedAt = new Map<number, number>()
  readonly #ending = new AbortController()
  #saving: Promise<void> = Promise.resolve()

  constructor(rules: SavingRules, noteFailure: (error: unknown) => void) {
    this.#rules = rules
    this.#noteFailure = noteFailure
  }

  /** Call it after each load and update of an image. */
  consider(indexId: number, image: SearchImage): void {
    const { extent } = image
    const { size, bytes, changes } = extent
    const planned = this.#planned.get(indexId)
    if (this.#ending.signal.aborted || planned?.writing || planned?.changes === changes) return
    const isDense = this.#isDense(extent)
    if (bytes < this.#rules.leastBytes || (changes * CHANGED_SHARE <= size && !isDense)) return
    clearTimeout(planned?.timer)
    const save = () => {
      plan.writing = true
      this.#saving = this.#saving.then(() => this.#save(indexId, image))
    }
    const isLarge = changes * LARGE_SHARE > size
    const latest = performance.now() + this.#waitFor(indexId, { isLarge, isDense })
    // Upserts that follow one another closely do not put it off.
    const at = planned && (isLarge || isDense) ? Math.min(planned.at, latest) : latest
    const timer = setTimeout(save, Math.max(0, at - performance.now())).unref()
    const plan: Planned = { timer, at, save, changes, writing: false }
    this.#planned.set(indexId, plan)
  }

  /** Whether little has to be written for what changed: vectors that were added follow one another. */
  #isDense({ size, bytes, changes, changedBytes }: ImageExtent): boolean {
    return changes >= this.#rules.denseChanges && changedBytes * size <= DENSE * bytes * changes
  }

  /** How long a file has to wait from now on, in milliseconds. */
  #waitFor(indexId: number, { isLarge, isDense }: { isLarge: boolean; isDense: boolean }): number {
    const { delayMs, intervalMs, denseIntervalMs, quietMs, latestMs } = this.#rules
    const sinceLast = performance.now() - (this.#savedAt.get(indexId) ?? -Infinity)
    if (isDense) return Math.max(delayMs, denseIntervalMs - sinceLast)
    const untilQuiet = isLarge ? 0 : Math.min(quietMs, latestMs - sinceLast)
    return Math.max(delayMs, intervalMs - sinceLast, untilQuiet)
  }

  /** Writes the file of an index now, where one is due; undefined where none is. Resolves when it is written, or cannot be. */
  hurry(indexId: number): Promise<void> | undefined {
    const planned = this.#planned.get(indexId)
    if (!planned) return undefined
    clearTimeout(planned.timer)
    if (!planned.writing) planned.save()
    return this.#saving
  }

  /** The image of an index is not needed any more. */
  drop(indexId: number): void {
    clearTimeout(this.#planned.get(indexId)?.timer)
    this.#planned.delete(indexId)
    this.#savedAt.delete(indexId)
  }

  /** Ends the writing of a file that is not complete, and begins no other. */
  async close(): Promise<void> {
    this.#ending.abort()
    for (const { timer } of this.#planned.values()) clearTimeout(timer)
    await this.#saving
  }

  async #save(indexId: number, image: SearchImage): Promise<void> {
    const { signal } = this.#ending
    if (signal.aborted || !this.#planned.has(indexId)) return
    try {
      await image.save(signal)
    } catch (error) {
      // The files of an index that was removed meanwhile are deleted.
      if (!signal.aborted && this.#planned.has(indexId)) this.#noteFailure(error)
    }
    if (!this.#planned.has(indexId)) return
    this.#savedAt.set(indexId, performance.now())
    this.#planned.delete(indexId)
    this.consider(indexId, image)
  }
}
