/** Numbers terms in the order in which they come. */
export class TermNumbers {
  /** Terms by number. */
  terms = new Float64Array(1 << 12)
  size = 0
  /** Places for the numbers, one more than each, 0 where a place is free; a power of two, half of them free at least. */
  #places = new Int32Array(1 << 13)

  numberOf(term: number): number {
    const mask = this.#places.length - 1
    let place = term & mask
    for (;;) {
      const number = this.#places[place]! - 1
      if (number < 0) break
      if (this.terms[number] === term) return number
      place = (place + 1) & mask
    }
    this.#places[place] = this.size + 1
    this.terms[this.size++] = term
    if (this.size === this.terms.length) this.#grow()
    return this.size - 1
  }

  #grow(): void {
    const terms = new Float64Array(2 * this.terms.length)
    terms.set(this.terms)
    this.terms = terms
    this.#places = new Int32Array(2 * terms.length)
    const mask = this.#places.length - 1
    for (let number = 0; number < this.size; number++) {
      let place = terms[number]! & mask
      while (this.#places[place] !== 0) place = (place + 1) & mask
      this.#places[place] = number + 1
    }
  }
}
