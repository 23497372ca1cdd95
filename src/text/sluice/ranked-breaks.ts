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

/** Places between lines where a text may be cut, with their ranks, in order. Those before a chunk are dropped. */
export class RankedBreaks {
  #places: number[] = []
  #ranks: number[] = []
  #first = 0

  add(place: number, rank: number): void {
    this.#places.push(place)
    this.#ranks.push(rank)
  }

  /** Gives the last place that was added at `place` a higher rank. */
  raise(place: number, rank: number): void {
    const at = this.#places.lastIndexOf(place)
    if (at >= this.#first && this.#ranks[at] !== RANK.NEVER) this.#ranks[at] = rank
  }

  /** Drops the places up to one. */
  drop(until: number): void {
    while (this.#first < this.#places.length && this.#places[this.#first]! <= until) this.#first++
    if (this.#first < 512) return
    this.#places = this.#places.slice(this.#first)
    this.#ranks = this.#ranks.slice(this.#first)
    this.#first = 0
  }

  /** The last place after `from`, at most at `limit`, with at least a rank; -1 if there is none. */
  last(from: number, limit: number, rank: number): number {
    for (let at = this.#places.length - 1; at >= this.#first; at--) {
      const place = this.#places[at]!
      if (place <= from) return -1
      if (place <= limit && this.#ranks[at]! >= rank) return place
    }
    return -1
  }

  /** The first such place. */
  first(from: number, limit: number, rank: number): number {
    for (let at = this.#first; at < this.#places.length; at++) {
      const place = this.#places[at]!
      if (place > limit) return -1
      if (place > from && this.#ranks[at]! >= rank) return place
    }
    return -1
  }

  /** The rank of a place; undefined for a place inside of a line. */
  rankOf(place: number): number | undefined {
    for (let at = this.#places.length - 1; at >= this.#first && this.#places[at]! >= place; at--)
      if (this.#places[at] === place) return this.#ranks[at]
    return undefined
  }
}
