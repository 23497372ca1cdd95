/** The longest cached word: its characters, a byte each, fill two int32. */
const LENGTH = 8
const ENTRIES_BITS = 14
/** An entry is the two int32, and the token plus one. */
const NUMBERS = 4
const [LEFT, RIGHT, TOKEN] = [0, 1, 2]

/**
 * A cache of short ASCII words that are a single token, as most words of English prose are. Each word has one slot,
 * which keeps the last word.
 */
export class ShortWordCache {
  readonly #entries = new Int32Array(NUMBERS << ENTRIES_BITS)
  // The word of the last `find`.
  #left = 0
  #right = 0
  #at = -1

  /** The token of the word; -1 if it is not in the cache. */
  find(text: string, from: number, to: number): number {
    this.#at = -1
    if (to - from > LENGTH) return -1
    let left = 0
    let right = 0
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      if (code > 127) return -1
      left = (left << 8) | (right >>> 24)
      right = (right << 8) | code
    }
    const hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)
    const at = (hash >>> (32 - ENTRIES_BITS)) * NUMBERS
    this.#left = left
    this.#right = right
    this.#at = at
    const same = this.#entries[at + LEFT] === left && this.#entries[at + RIGHT] === right
    return same ? this.#entries[at + TOKEN]! - 1 : -1
  }

  /** Stores the token of the word of the last `find`. */
  keep(token: number): void {
    if (this.#at < 0) return
    this.#entries[this.#at + LEFT] = this.#left
    this.#entries[this.#at + RIGHT] = this.#right
    this.#entries[this.#at + TOKEN] = token + 1
  }
}
