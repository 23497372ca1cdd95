const SLOTS = 1 << 14

/**
 * Caches the terms of words by two hashes of the word: few different words make up most of a text. Each slot has the
 * latest word.
 */
export class WordCache {
  readonly #hashes = new Int32Array(2 * SLOTS)
  /** 0 in an empty slot. */
  readonly #terms = new Float64Array(SLOTS)

  /** 0 if the word is not in the cache. */
  termOf(first: number, second: number): number {
    const slot = first & (SLOTS - 1)
    return this.#hashes[2 * slot] === first && this.#hashes[2 * slot + 1] === second ? this.#terms[slot]! : 0
  }

  keep(first: number, second: number, term: number): void {
    const slot = first & (SLOTS - 1)
    this.#hashes[2 * slot] = first
    this.#hashes[2 * slot + 1] = second
    this.#terms[slot] = term
  }
}
