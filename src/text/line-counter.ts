/**
 * Tells on which line a stretch of a text stands, for stretches whose ends never go back. Every line break is looked
 * at once, except those inside an overlap; `find` searches the text for a line break, Infinity where there is none.
 */
export class LineCounter {
  readonly #find: (from: number) => number
  #position = 0
  #line = 1
  #breakBehind = -1
  #breakAhead = -1

  constructor(find: (from: number) => number) {
    this.#find = find
  }

  /** The position up to which line breaks were counted. */
  get position(): number {
    return this.#position
  }

  /** Lines of the stretch from `start` to before `end`: a line break belongs to the line it ends. */
  lines(start: number, end: number): { from: number; to: number } {
    if (start >= this.#position) this.advance(start)
    const from = this.#line - this.#breaksSince(start)
    this.advance(end)
    return { from, to: this.#line }
  }

  /** Counts on to a position. */
  advance(position: number): void {
    if (this.#breakAhead < this.#position) this.#breakAhead = this.#find(this.#position)
    while (this.#breakAhead < position) {
      this.#line++
      this.#breakBehind = this.#breakAhead
      this.#breakAhead = this.#find(this.#breakBehind + 1)
    }
    this.#position = position
  }

  /** The text has grown: where no line break lay ahead, there may be one now. */
  grown(): void {
    if (this.#breakAhead === Number.POSITIVE_INFINITY) this.#breakAhead = -1
  }

  // The last break is known, so the search never runs past it, however far away the next one is.
  #breaksSince(start: number): number {
    if (this.#breakBehind < start) return 0
    let breaks = 1
    for (let at = this.#find(start); at < this.#breakBehind; at = this.#find(at + 1)) breaks++
    return breaks
  }
}
