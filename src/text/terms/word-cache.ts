const PLACES = 1 << 14

/**
 * The terms of words met before, by two hashes of the word: most words of a text are few. Each pair of hashes has one
 * place, which the latest takes.
 */
export class WordCache {
  readonly #hashes = new Int32Array(2 * PLACES)
  /** 0 where there is none. */
  readonly #terms = new Float64Array(PLACES)

  /** 0 for a word not met before, or forgotten. */
  termOf(first: number, second: number): number {
    const place = first & (PLACES - 1)
    return this.#hashes[2 * place] === first && this.#hashes[2 * place + 1] === second
      ? this.#terms[place]!
      : 0
  }

  keep(first: number, second: number, term: number): void {
    const place = first & (PLACES - 1)
    this.#hashes[2 * place] = first
    this.#hashes[2 * place + 1] = second
    this.#terms[place] = term
  }
}
