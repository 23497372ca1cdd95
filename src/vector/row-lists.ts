/** The first rows of a column, sorted by the place of their value: the rows of a value without reading all of them. */
export class RowLists {
  /** How many rows are sorted. */
  readonly size: number
  readonly #starts: Uint32Array
  readonly #rows: Uint32Array

  /** `places` has the place of each row, all below `count`. */
  constructor(places: Uint32Array, count: number) {
    this.size = places.length
    this.#starts = new Uint32Array(count + 1)
    this.#rows = new Uint32Array(places.length)
    for (let row = 0; row < places.length; row++) this.#starts[places[row]! + 1]!++
    for (let place = 0; place < count; place++) this.#starts[place + 1]! += this.#starts[place]!
    const next = this.#starts.slice()
    for (let row = 0; row < places.length; row++) this.#rows[next[places[row]!]!++] = row
  }

  /** The sorted rows with the value at a place, in ascending order. */
  rowsAt(place: number): Uint32Array {
    return this.#rows.subarray(this.#starts[place] ?? this.size, this.#starts[place + 1] ?? this.size)
  }
}
