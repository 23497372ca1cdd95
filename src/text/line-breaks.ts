/** Line breaks that are searched at once when the next one is needed: few at first, because most texts are short. */
const BATCH = { first: 16, most: 64 }

/** Line breaks that are dropped at once. */
const DROP_BATCH = 1024

const LINE_FEED = 0x0a
const NOWHERE = Number.POSITIVE_INFINITY

/**
 * The positions of the line breaks of a text that arrives in parts and is dropped from the front. Each is searched
 * once, for line numbers and for the ends of paragraphs (two breaks side by side). Positions count from the start of
 * the whole text. Queries go forward, and back by at most one chunk.
 */
export class LineBreaks {
  #text = ''
  #base = 0
  /** The position up to which the text was searched. */
  #seen = 0
  #places: number[] = []
  /** How many were dropped. */
  #dropped = 0
  /** The index that the last query found; the next one starts there. */
  #lastIndex = 0

  /** Sets the held text and its position. The breaks of text that is dropped must have been counted before. */
  set(text: string, base: number): void {
    this.#text = text
    this.#base = base
  }

  /** The number of breaks before a position. */
  count(before: number): number {
    return this.#dropped + this.#seek(before)
  }

  /** The first break at or after a position, with `twice` the first of two side by side; Infinity if there is none. */
  find(from: number, twice: boolean): number {
    let at = this.#seek(from)
    if (!twice) return at < this.#places.length ? this.#places[at]! : NOWHERE
    for (;;) {
      const places = this.#places
      while (at + 1 < places.length) {
        const place = places[at++]!
        if (places[at] === place + 1) return place
      }
      if (!this.#search()) return NOWHERE
    }
  }

  /** The last one at or before a position; there must be one. */
  findLast(from: number, twice: boolean): number {
    let at = this.#seek(from + 1) - 1
    const places = this.#places
    if (twice) while (places[at + 1] !== places[at]! + 1) at--
    return places[at]!
  }

  /** Drops the breaks before a position, to which no later query may go back. */
  drop(before: number): void {
    if (this.#lastIndex < DROP_BATCH) return
    const gone = this.#seek(before)
    this.#places = this.#places.slice(gone)
    this.#dropped += gone
    this.#lastIndex = 0
  }

  // The index, among the held breaks, of the first at or after a position.
  #seek(position: number): number {
    let at = this.#lastIndex
    const places = this.#places
    do {
      while (at < places.length && places[at]! < position) at++
    } while (at === places.length && this.#search())
    while (at > 0 && places[at - 1]! >= position) at--
    this.#lastIndex = at
    return at
  }

  // Searches the next breaks; false at the end of the text.
  #search(): boolean {
    const text = this.#text
    const base = this.#base
    let from = this.#seen - base
    if (from >= text.length) return false
    const places = this.#places
    const full = places.length + Math.min(BATCH.most, Math.max(BATCH.first, places.length))
    while (places.length < full && from < text.length) {
      const found = text.indexOf('\n', from)
      from = found < 0 ? text.length : found + 1
      if (found < 0) break
      places.push(base + found)
      // The second break of a paragraph's end is found without a search.
      if (text.charCodeAt(from) === LINE_FEED) places.push(base + from++)
    }
    this.#seen = base + from
    return true
  }
}
