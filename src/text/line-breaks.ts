/** How many are looked for at once, when one is wanted that was not seen yet: few at first, most texts are short. */
const BATCH = { first: 16, most: 64 }

/** How many are let go at once. */
const FORGOTTEN = 1024

const LINE_FEED = 0x0a
const NOWHERE = Number.POSITIVE_INFINITY

/**
 * The places of the line breaks of a text that arrives in parts and is dropped again from the front. Each is searched
 * once; line numbers and the ends of paragraphs (two breaks side by side) both come from here. Positions count from
 * the start of the whole text; callers go forward, and back by at most one chunk.
 */
export class LineBreaks {
  #text = ''
  #base = 0
  /** Up to where the text was looked through. */
  #seen = 0
  #places = new Float64Array(2 * BATCH.first)
  #held = 0
  /** How many were let go. */
  #gone = 0
  /** Where the last question led to. */
  #finger = 0

  /** The text that is held, and where it begins. What is let go must have been counted. */
  set(text: string, base: number): void {
    this.#text = text
    this.#base = base
  }

  /** How many breaks stand before a position. */
  count(before: number): number {
    return this.#gone + this.#seek(before)
  }

  /** Where the first break stands at or after a position, or the first of two side by side; Infinity without one. */
  find(from: number, twice: boolean): number {
    let at = this.#seek(from)
    if (!twice) return at < this.#held ? this.#places[at]! : NOWHERE
    for (;;) {
      const places = this.#places
      while (at + 1 < this.#held) {
        const place = places[at++]!
        if (places[at] === place + 1) return place
      }
      if (!this.#look()) return NOWHERE
    }
  }

  /** The same at or before a position; the caller knows that there is one. */
  findLast(from: number, twice: boolean): number {
    let at = this.#seek(from + 1) - 1
    const places = this.#places
    if (twice) while (places[at + 1] !== places[at]! + 1) at--
    return places[at]!
  }

  /** Drops the breaks before a position: no caller goes back there. */
  forget(before: number): void {
    if (this.#finger < FORGOTTEN) return
    const gone = this.#seek(before)
    this.#places.copyWithin(0, gone, this.#held)
    this.#held -= gone
    this.#gone += gone
    this.#finger = 0
  }

  // The place of the first break at or after a position, among those that are held.
  #seek(position: number): number {
    let at = this.#finger
    do {
      while (at < this.#held && this.#places[at]! < position) at++
    } while (at === this.#held && this.#look())
    while (at > 0 && this.#places[at - 1]! >= position) at--
    this.#finger = at
    return at
  }

  // Looks for the next breaks; false at the end of the text.
  #look(): boolean {
    const text = this.#text
    const base = this.#base
    let from = this.#seen - base
    if (from >= text.length) return false
    const places = this.#roomy()
    let held = this.#held
    const batch = Math.min(BATCH.most, places.length / 2)
    for (const full = held + batch; held < full && from < text.length; ) {
      const found = text.indexOf('\n', from)
      from = found < 0 ? text.length : found + 1
      if (found < 0) break
      places[held++] = base + found
      // The second one of a paragraph's end is seen without a search.
      if (text.charCodeAt(from) === LINE_FEED) places[held++] = base + from++
    }
    this.#held = held
    this.#seen = base + from
    return true
  }

  // Half of it is free: there is room for a batch, and for the second one of a pair that ends it.
  #roomy(): Float64Array {
    if (2 * this.#held >= this.#places.length) {
      const larger = new Float64Array(2 * this.#places.length)
      larger.set(this.#places)
      this.#places = larger
    }
    return this.#places
  }
}
