import type { SearchImage } from './search-image.ts'

/** When files of images are written. */
export type SavingRules = {
  /** Images with fewer bytes are loaded from the database as quickly. */
  leastBytes: number
  /** How long after a load or an update, in milliseconds: queries and the sweep of an upsert come first. */
  delayMs: number
  /** The least time from one file of an image to the next, in milliseconds. */
  intervalMs: number
}

export const SAVING_RULES: SavingRules = { leastBytes: 4 * 2 ** 20, delayMs: 1000, intervalMs: 60_000 }

/** A file is written where more than one vector in so many was added or removed since the last. */
const CHANGED_SHARE = 20

/** Writes the files of images in the background, one at a time, where loading them has become slow without. */
export class ImageSaver {
  readonly #rules: SavingRules
  readonly #noteFailure: (error: unknown) => void
  readonly #planned = new Map<number, NodeJS.Timeout>()
  readonly #savedAt = new Map<number, number>()
  readonly #ending = new AbortController()
  #saving: Promise<void> = Promise.resolve()

  constructor(rules: SavingRules, noteFailure: (error: unknown) => void) {
    this.#rules = rules
    this.#noteFailure = noteFailure
  }

  /** Call it after each load and update of an image. */
  consider(indexId: number, image: SearchImage): void {
    const { size, bytes, changes } = image.extent
    if (this.#ending.signal.aborted || this.#planned.has(indexId)) return
    if (bytes < this.#rules.leastBytes || changes * CHANGED_SHARE <= size) return
    const next = (this.#savedAt.get(indexId) ?? -Infinity) + this.#rules.intervalMs
    const wait = Math.max(this.#rules.delayMs, next - performance.now())
    const save = () => {
      this.#saving = this.#saving.then(() => this.#save(indexId, image))
    }
    this.#planned.set(indexId, setTimeout(save, wait).unref())
  }

  /** The image of an index is not needed any more. */
  forget(indexId: number): void {
    clearTimeout(this.#planned.get(indexId))
    this.#planned.delete(indexId)
    this.#savedAt.delete(indexId)
  }

  /** Ends the writing of a file that is not complete, and begins no other. */
  async close(): Promise<void> {
    this.#ending.abort()
    for (const timer of this.#planned.values()) clearTimeout(timer)
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
