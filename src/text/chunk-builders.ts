import type { StreamedText } from './streamed-text.ts'
import type { ChunkSizes } from './chunk-sizes.ts'

/**
 * Joins neighbouring pieces to chunks. A piece that would make the chunk too large ends it; the next chunk begins
 * with as many of the last pieces as the overlap allows.
 */
export type ChunkBuilder = {
  /** Start of the current chunk: text from there on is still needed. */
  readonly start: number
  /** Starts a new chunk, without an overlap. */
  restart(at: number): void
  /** Adds the piece from `at` to `end`, and perhaps pieces after it; returns where the last one ends. */
  add(at: number, end: number): number
  /** Emits the current chunk. */
  flush(): void
}

/** The last cut at or before a position. */
export type LastCutBefore = (reach: number) => number

/**
 * Builds chunks of pieces that keep their separators, and so are adjacent. It does not visit every piece: the end of
 * a chunk is one search backward from its limit, the start of the next one is one search forward.
 */
export class AdjacentChunkBuilder implements ChunkBuilder {
  readonly #text: StreamedText
  readonly #separator: string
  readonly #sizes: ChunkSizes
  readonly #lastCutBefore: LastCutBefore
  start = 0
  #end = 0
  /** Start of the last piece of the chunk; -1 if it is not known. */
  #last = -1

  constructor(text: StreamedText, separator: string, sizes: ChunkSizes, lastCutBefore: LastCutBefore) {
    this.#text = text
    this.#separator = separator
    this.#sizes = sizes
    this.#lastCutBefore = lastCutBefore
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
      this.start = this.#last >= 0 && least > this.#last ? at : this.#text.find(this.#separator, least)
    }
    // With large pieces, adding one by one is faster than searching back from the limit.
    const steps = (end - at) * 4 > chunkSize
    this.#last = steps ? at : -1
    this.#end = steps ? end : this.#lastCutBefore(this.start + chunkSize)
    return this.#end
  }

  flush(): void {
    if (this.#end > this.start) this.#text.addTrimmedPiece(this.start, this.#end)
  }
}

/**
 * Builds chunks of pieces whose separators were dropped; joined pieces have one separator between them. Runs of
 * separators shrink to one, so a chunk may differ from the text.
 */
export class JoiningChunkBuilder implements ChunkBuilder {
  readonly #text: StreamedText
  readonly #separator: string
  readonly #sizes: ChunkSizes
  #pieces: { start: number; end: number }[] = []
  #total = 0

  constructor(text: StreamedText, separator: string, sizes: ChunkSizes) {
    this.#text = text
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
      this.#text.addTrimmedPiece(first.start, last.end)
    else this.#takeJoined()
  }

  #lengthWith(separators: number, length: number): number {
    return this.#total + separators * this.#separator.length + length
  }

  // As in LangChain, the overlap is counted without separators, the chunk with them.
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
    const joined = this.#pieces.map(({ start, end }) => this.#text.slice(start, end)).join(this.#separator)
    const text = joined.trim()
    const leading = joined.length - joined.trimStart().length
    if (text)
      this.#text.addPiece(this.#position(leading), this.#position(leading + text.length - 1) + 1, text)
  }

  // The position in the text of a unit of the joined text; a separator has the position of the one after its piece.
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
