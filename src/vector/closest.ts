/** Scores are whole numbers below this. */
const SCORES = 65_536

/** How often each score is kept, for one cut at a time: a table for each search would be 256 kB of new memory. */
let counts: Uint32Array | undefined

/**
 * Keeps the `capacity` highest of many whole scores from 0 to 65,535 with their owners, in no order. It collects twice as
 * many, then finds the score at which the better half begins. Several times as fast as a heap where thousands are kept.
 */
export class Closest {
  readonly #capacity: number
  readonly #owners: Int32Array
  readonly #scores: Uint16Array
  #size = 0
  #threshold = 0
  /** The highest score so far: those above it need not be counted. */
  #highest = 0

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#owners = new Int32Array(2 * capacity)
    this.#scores = new Uint16Array(2 * capacity)
  }

  /** A score is kept if it is at least this. */
  get threshold(): number {
    return this.#threshold
  }

  offer(owner: number, score: number): void {
    if (score < this.#threshold) return
    if (this.#size === this.#owners.length) this.#cut()
    if (score > this.#highest) this.#highest = score
    this.#owners[this.#size] = owner
    this.#scores[this.#size++] = score
  }

  /** The kept owners. */
  owners(): Int32Array {
    if (this.#size > this.#capacity) this.#cut()
    return this.#owners.subarray(0, this.#size)
  }

  /** Keeps the best `capacity`; of equal scores those that came first. */
  #cut(): void {
    counts ??= new Uint32Array(SCORES)
    // No score below the threshold is kept but those that are one below it.
    counts.fill(0, Math.max(0, this.#threshold - 1), this.#highest + 1)
    for (let at = 0; at < this.#size; at++) counts[this.#scores[at]!]!++
    let score = this.#highest
    let above = 0
    while (above + counts[score]! < this.#capacity) above += counts[score--]!
    let equal = this.#capacity - above
    let kept = 0
    for (let at = 0; at < this.#size; at++) {
      const own = this.#scores[at]!
      if (own < score || (own === score && equal-- <= 0)) continue
      this.#owners[kept] = this.#owners[at]!
      this.#scores[kept++] = own
    }
    this.#size = kept
    // A later score that is equal would not be kept.
    this.#threshold = score + 1
  }
}
