type Held = { readonly heldBytes: number }

/**
 * Copies of parts of indexes that are made again where they are missing, so one may go while it is used. Where all take more than a
 * limit, those that were not used for the longest time go, but not the last one.
 */
export class KeptCopies<Copy extends Held> {
  /** In the order of their last use, each with its bytes as they were counted last. */
  readonly #all = new Map<number, { copy: Copy; bytes: number }>()
  readonly #limit: number
  #bytes = 0

  /** @param limit the most bytes of all */
  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#all.size
  }

  find(indexId: number): Copy | undefined {
    return this.#all.get(indexId)?.copy
  }

  /** Keeps the copy of an index, in the place of an earlier one. Call it again after the copy has changed. */
  use(indexId: number, copy: Copy): void {
    this.remove(indexId)
    const bytes = copy.heldBytes
    this.#all.set(indexId, { copy, bytes })
    this.#bytes += bytes
    for (const [oldest] of this.#all) {
      if (this.#bytes <= this.#limit || oldest === indexId) return
      this.remove(oldest)
    }
  }

  remove(indexId: number): void {
    this.#bytes -= this.#all.get(indexId)?.bytes ?? 0
    this.#all.delete(indexId)
  }
}
