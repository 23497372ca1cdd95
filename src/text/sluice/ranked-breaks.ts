/**
 * How good it is to cut before a line, or inside of one.
 *
 * - `SECTION`: before a heading; `DEFINITION`: before a function or class.
 * - `PARAGRAPH`: after a blank line.
 * - `LINE`: before a row, an item, a line of code, or after a line that ends a sentence.
 * - `SENTENCE`: between two sentences of a line.
 * - `LOOSE`: after a line that looks like a title; before a line of code that goes on with what is above it.
 * - `WRAPPED`: between two lines of a sentence.
 * - `NEVER`: after a heading.
 */
export const RANK = {
  NEVER: 0,
  WRAPPED: 1,
  LOOSE: 2,
  SENTENCE: 3,
  LINE: 4,
  PARAGRAPH: 5,
  DEFINITION: 6,
  SECTION: 7,
} as const

/** Room for a rank below a place. */
const RANKS = 8

/**
 * Places between lines where a text may be cut, with their ranks, in order. Those before a chunk are dropped. A place and its
 * rank are one number, place × 8 + rank: exact up to a text of 10^15 units.
 */
export class RankedBreaks {
  #breaks: number[] = []
  #first = 0

  add(place: number, rank: number): void {
    this.#breaks.push(place * RANKS + rank)
  }

  /** Gives the last place that was added at `place` a higher rank. */
  raise(place: number, rank: number): void {
    const at = this.#find(place)
    if (at >= 0 && rankIn(this.#breaks[at]!) !== RANK.NEVER) this.#breaks[at] = place * RANKS + rank
  }

  /** Drops the places up to one. */
  drop(until: number): void {
    const breaks = this.#breaks
    const least = (until + 1) * RANKS
    while (this.#first < breaks.length && breaks[this.#first]! < least) this.#first++
    if (this.#first < 512) return
    this.#breaks = breaks.slice(this.#first)
    this.#first = 0
  }

  /** The last place after `from`, at most at `limit`, with at least a rank; -1 if there is none. */
  last(from: number, limit: number, rank: number): number {
    const breaks = this.#breaks
    const least = (from + 1) * RANKS
    const most = (limit + 1) * RANKS
    for (let at = breaks.length - 1; at >= this.#first; at--) {
      const found = breaks[at]!
      if (found < least) return -1
      if (found < most && rankIn(found) >= rank) return placeIn(found)
    }
    return -1
  }

  /** The first such place. */
  first(from: number, limit: number, rank: number): number {
    const breaks = this.#breaks
    const least = (from + 1) * RANKS
    const most = (limit + 1) * RANKS
    for (let at = this.#first; at < breaks.length; at++) {
      const found = breaks[at]!
      if (found >= most) return -1
      if (found >= least && rankIn(found) >= rank) return placeIn(found)
    }
    return -1
  }

  /** The rank of a place; undefined for a place inside of a line. */
  rankOf(place: number): number | undefined {
    const at = this.#find(place)
    return at < 0 ? undefined : rankIn(this.#breaks[at]!)
  }

  /** The index of the last break at a place; -1 for none. */
  #find(place: number): number {
    const breaks = this.#breaks
    const least = place * RANKS
    for (let at = breaks.length - 1; at >= this.#first && breaks[at]! >= least; at--)
      if (breaks[at]! < least + RANKS) return at
    return -1
  }
}

/** The lowest bits of a number are the same in 32 bits. */
const rankIn = (found: number): number => found & (RANKS - 1)
const placeIn = (found: number): number => (found - rankIn(found)) / RANKS
