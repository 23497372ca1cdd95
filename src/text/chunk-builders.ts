import type { StreamedText } from './streamed-text.ts'
import type { ChunkSizes } from './chunk-sizes.ts'

/**
 * Gathers neighbouring pieces into chunks. A piece that would make the chunk too large sends it off; the next chunk
 * begins with as many of the last pieces as the overlap allows.
 */
export type ChunkBuilder = {
  /** Where what it holds begins: text from there on is still needed. */
  readonly start: number
  /** Begins anew, without an overlap. */
  restart(at: number): void
  /** Takes in the piece from `at` to `end`, and perhaps pieces after it; returns where the last one ends. */
  add(at: number, end: number): number
  /** Sends off what it holds. */
  flush(): void
}

/** The last cut at or before a position. */
export type LastCutBefore = (reach: number) => number

/**
 * The window over pieces that kept their separators, and so lie side by side. It need not see every piece: how far a
 * chunk reaches is one search backward from its limit, where its successor begins is one search forward.
 */
export class AdjacentChunkBuilder implements ChunkBuilder {
  readonly #scroll: StreamedText
  readonly #separator: string
  readonly #sizes: ChunkSizes
  readonly #furthest: LastCutBefore
  start = 0
  #end = 0
  /** Where the last piece of the window begins; -1 where that was not looked at. */
  #last = -1

  constructor(scroll: StreamedText, separator: string, sizes: ChunkSizes, furthest: LastCutBefore) {
    this.#scroll = scroll
    this.#separator = separator
    this.#sizes = sizes
    this.#furthest = furthest
  }

  restart(at: number): void {
    this.start = at
    this.#end = at
  }

  add(at: number, end: number): number {
    const { chunkSize, chunkOverlap } = this.#sizes
    if (end - this.start > chunkSize) {
      this.flush()
      const least = Math.max(at - chunkOverlap, end - chunkSize)
      this.start = this.#last >= 0 && least > this.#last ? at : this.#scroll.find(this.#separator, least)
    }
    // Over large pieces going on one by one is quicker than searching back from the limit.
    const steps = (end - at) * 4 > chunkSize
    this.#last = steps ? at : -1
    this.#end = steps ? end : this.#furthest(this.start + chunkSize)
    return this.#end
  }

  flush(): void {
    if (this.#end > this.start) this.#scroll.addTrimmedPiece(this.start, this.#end)
  }
}

/**
 * The window over pieces that lost their separators, and get one back between any two when they are joined. Runs of
 * separators shrink to one in this way, so a chunk need not stand in the text as it is.
 */
export class JoiningChunkBuilder implements ChunkBuilder {
  readonly #scroll: StreamedText
  readonly #separator: string
  readonly #sizes: ChunkSizes
  #pieces: { start: number; end: number }[] = []
  #total = 0

  constructor(scroll: StreamedText, separator: string, sizes: ChunkSizes) {
    this.#scroll = scroll
    this.#separator = separator
    this.#sizes = sizes
  }

  get start(): number {
    return this.#pieces[0]?.start ?? Number.POSITIVE_INFINITY
  }

  restart(): void {
    this.#pieces = []
    this.#total = 0
  }

  add(start: number, end: number): number {
    if (this.#lengthWith(this.#pieces.length, end - start) > this.#sizes.chunkSize) {
      this.flush()
      this.#drop(end - start)
    }
    this.#pieces.push({ start, end })
    this.#total += end - start
    return end
  }

  flush(): void {
    const first = this.#pieces[0]
    const last = this.#pieces.at(-1)
    if (!first || !last) return
    if (last.end - first.start === this.#lengthWith(this.#pieces.length - 1, 0))
      this.#scroll.addTrimmedPiece(first.start, last.end)
    else this.#takeJoined()
  }

  #lengthWith(separators: number, length: number): number {
    return this.#total + separators * this.#separator.length + length
  }

  // The overlap is counted without separators, the chunk with them: so does the original.
  #drop(length: number): void {
    const { chunkSize, chunkOverlap } = this.#sizes
    const count = this.#pieces.length
    let dropped = 0
    while (
      this.#total > chunkOverlap ||
      (this.#total > 0 && this.#lengthWith(count - dropped, length) > chunkSize)
    ) {
      const piece = this.#pieces[dropped++]!
      this.#total -= piece.end - piece.start
    }
    this.#pieces = this.#pieces.slice(dropped)
  }

  #takeJoined(): void {
    const joined = this.#pieces.map(({ start, end }) => this.#scroll.slice(start, end)).join(this.#separator)
    const text = joined.trim()
    const leading = joined.length - joined.trimStart().length
    if (text)
      this.#scroll.addPiece(this.#position(leading), this.#position(leading + text.length - 1) + 1, text)
  }

  // Where a unit of the joined text stands: a separator that was put back is the one that followed its piece.
  #position(offset: number): number {
    let rest = offset
    for (const { start, end } of this.#pieces) {
      const length = end - start + this.#separator.length
      if (rest < length) return start + rest
      rest -= length
    }
    return this.#pieces.at(-1)!.end
  }
}
