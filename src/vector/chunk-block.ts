/** Whole numbers, each `first` and its offset: in two or four bytes each where they are close together. */
export type CloseNumbers = { first: number; offsets: Uint16Array | Uint32Array | Float64Array }

/** Chunks in ascending order of their ids, and the owner of each. */
export type ChunkRows = { chunks: CloseNumbers; owners: CloseNumbers }

/**
 * The places of the values of some rows at one path: by row the place among `known`, which has the place in the column. Without
 * `places` all rows have the first, without `known` the places are those of the column.
 */
export type BlockPlaces = {
  places: Uint8Array | Uint16Array | Uint32Array | undefined
  known: Uint32Array | undefined
}

/** Blocks of chunks that are added one by one grow from here. Rooms double: thousands of namespaces have a few chunks each. */
const FIRST_ROWS = 16

/** Rows with one value are searched for without reading the others, until so many of a block are found. */
const MOST_SEARCHED = 64

/**
 * Chunks that follow one another, as rows: of each its id, its owner, and the places of its values. A stored block is kept
 * as it was read, so that loading it takes no work for each row.
 */
export class ChunkBlock {
  /** The number of its first row among those of all blocks. */
  readonly start: number
  readonly #columns: BlockPlaces[]
  #chunks: CloseNumbers
  #owners: CloseNumbers
  #size: number
  /** By row: 1 where the chunk is removed. */
  #gone: Uint8Array | undefined

  constructor(start: number, { chunks, owners }: ChunkRows, columns: BlockPlaces[]) {
    this.start = start
    this.#chunks = chunks
    this.#owners = owners
    this.#columns = columns
    this.#size = chunks.offsets.length
  }

  /** A block for so many columns that chunks are added to one by one. */
  static empty(start: number, columns: number): ChunkBlock {
    const numbers = () => ({ first: 0, offsets: new Float64Array(FIRST_ROWS) })
    const places = () => ({ places: new Uint32Array(FIRST_ROWS), known: undefined })
    const block = new ChunkBlock(
      start,
      { chunks: numbers(), owners: numbers() },
      Array.from({ length: columns }, places),
    )
    block.#size = 0
    return block
  }

  get size(): number {
    return this.#size
  }

  /** The bytes that it takes in memory. */
  get bytes(): number {
    let bytes =
      this.#chunks.offsets.byteLength + this.#owners.offsets.byteLength + (this.#gone?.byteLength ?? 0)
    for (const { places, known } of this.#columns)
      bytes += (places?.byteLength ?? 0) + (known?.byteLength ?? 0)
    return bytes
  }

  /** Adds a chunk to a block that was made empty; `places` are those of its values in the columns. */
  add(chunk: number, owner: number, places: readonly number[]): void {
    if (this.#size === this.#chunks.offsets.length) this.#grow(2 * this.#size)
    this.#chunks.offsets[this.#size] = chunk
    this.#owners.offsets[this.#size] = owner
    for (let at = 0; at < places.length; at++) this.#columns[at]!.places![this.#size] = places[at]!
    this.#size++
  }

  /** The chunk of a row. */
  chunkAt(row: number): number {
    return this.#chunks.first + this.#chunks.offsets[row]!
  }

  /** The owner of a row. */
  ownerAt(row: number): number {
    return this.#owners.first + this.#owners.offsets[row]!
  }

  /** The place of the value of a row in a column. */
  placeAt(column: number, row: number): number {
    const { places, known } = this.#columns[column]!
    const place = places ? places[row]! : 0
    return known ? known[place]! : place
  }

  isGone(row: number): boolean {
    return this.#gone !== undefined && this.#gone[row] === 1
  }

  /** Whether the chunk was there. */
  remove(chunk: number): boolean {
    let from = 0
    let to = this.#size
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.chunkAt(middle) < chunk) from = middle + 1
      else to = middle
    }
    if (from === this.#size || this.chunkAt(from) !== chunk || this.isGone(from)) return false
    this.#gone ??= new Uint8Array(this.#chunks.offsets.length)
    this.#gone[from] = 1
    return true
  }

  /** Calls `take` with each row whose value is at one of the marked places of a column. */
  eachMet(column: number, marks: Uint8Array, take: (row: number) => void): void {
    const { places, known } = this.#columns[column]!
    const met = known ? known.map((place) => marks[place]!) : marks
    const size = this.#size
    if (!places) {
      if (met[0] === 1) for (let row = 0; row < size; row++) take(row)
      return
    }
    const first = met.indexOf(1)
    if (first < 0) return
    let row = 0
    if (first === met.lastIndexOf(1)) {
      let found = 0
      for (row = places.indexOf(first); row >= 0 && row < size; row = places.indexOf(first, row + 1)) {
        if (found++ === MOST_SEARCHED) break
        take(row)
      }
      if (row < 0) return
    }
    for (; row < size; row++) if (met[places[row]!] === 1) take(row)
  }

  /** By row: 1 where the value is at one of the marked places of a column. */
  rowsMet(column: number, marks: Uint8Array): Uint8Array {
    const rows = new Uint8Array(this.#size)
    this.eachMet(column, marks, (row) => {
      rows[row] = 1
    })
    return rows
  }

  /** Writes the places of all rows in a column to `target`, at the numbers of the rows. */
  copyPlaces(column: number, target: Uint32Array): void {
    const { places, known } = this.#columns[column]!
    const { start } = this
    const size = this.#size
    if (!places) target.fill(known ? known[0]! : 0, start, start + size)
    else if (!known) target.set(places.subarray(0, size), start)
    else for (let row = 0; row < size; row++) target[start + row] = known[places[row]!]!
  }

  #grow(rows: number): void {
    const longer = (numbers: CloseNumbers): CloseNumbers => {
      const offsets = new Float64Array(rows)
      offsets.set(numbers.offsets)
      return { first: numbers.first, offsets }
    }
    this.#chunks = longer(this.#chunks)
    this.#owners = longer(this.#owners)
    for (const column of this.#columns) {
      const places = new Uint32Array(rows)
      places.set(column.places!)
      column.places = places
    }
    if (!this.#gone) return
    const gone = new Uint8Array(rows)
    gone.set(this.#gone)
    this.#gone = gone
  }
}
