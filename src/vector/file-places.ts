/** A complete state of an image file: its trailer, and the place and the CRC-32 of each block. A place is as long as a block. */
export type ImageFileState = {
  /** In bytes. */
  readonly trailer: { readonly at: number; readonly bytes: number }
  readonly places: readonly number[]
  readonly sums: readonly number[]
}

/** The places of the blocks in the next state of an image file. Those of the state before, and its trailer, stay as they are. */
export class FilePlaces {
  /** The place of each block. */
  readonly places: number[]
  /** Free places before `#end`, the lowest last. */
  readonly #free: number[] = []
  readonly #taken = new Set<number>()
  readonly #bytes: number
  #end = 0

  /** @param bytes of a block */
  constructor(bytes: number, before: ImageFileState | undefined) {
    this.#bytes = bytes
    this.places = [...(before?.places ?? [])]
    if (!before) return
    const { at, bytes: length } = before.trailer
    const trailer = { first: Math.floor(at / bytes), end: Math.ceil((at + length) / bytes) }
    const used = new Set(before.places)
    for (let place = trailer.first; place < trailer.end; place++) used.add(place)
    this.#end = trailer.end
    for (const place of before.places) if (place >= this.#end) this.#end = place + 1
    for (let place = this.#end - 1; place >= 0; place--) if (!used.has(place)) this.#free.push(place)
  }

  /** The blocks that have a new place. */
  get taken(): ReadonlySet<number> {
    return this.#taken
  }

  /** Where a trailer of so many bytes begins, in bytes: in a free place, or after all blocks. */
  trailerAt(length: number): number {
    const place = length <= this.#bytes ? (this.#free.pop() ?? this.#end) : this.#end
    return place * this.#bytes
  }

  /** The new place of a block; the same at each call. */
  take(block: number): number {
    if (this.#taken.has(block)) return this.places[block]!
    const place = this.#free.pop() ?? this.#end++
    this.#taken.add(block)
    this.places[block] = place
    return place
  }
}
