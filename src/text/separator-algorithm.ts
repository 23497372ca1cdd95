import type { Piece } from '../contract/splitter.ts'
import type { StreamedText } from './streamed-text.ts'
import type { CutAlgorithm } from './streaming-cutter.ts'
import type { ChunkSizes } from './chunk-sizes.ts'
import { AdjacentChunkBuilder, JoiningChunkBuilder, type ChunkBuilder } from './chunk-builders.ts'

export type SeparatorRules = ChunkSizes & {
  /** Tried in order; the empty one stands for a cut after every code unit and ends the list. */
  separators: readonly string[]
  /** Whether a separator is kept, at the front of the piece after it, or dropped. */
  keepSeparator: boolean
  /** Whether a piece as long as a chunk is cut by the next separators, or left whole. */
  descend: boolean
}

/** The state of one separator, applied to one piece of the level above. */
type Level = {
  readonly separator: string
  /** Units of a separator that are dropped after a piece. */
  readonly dropped: number
  /**
   * Units before the end of the text so far in which a separator of a higher level may have begun without being
   * complete.
   */
  readonly lag: number
  readonly builder: ChunkBuilder
  /** Start and end of the piece of the level above; the end is Infinity while it has not arrived. */
  from: number
  limit: number
  /** Where the next piece begins. */
  at: number
  /** Position of the next separator, found by the last search. */
  next: number
}

const NOWHERE = Number.POSITIVE_INFINITY

/**
 * The recursive splitter without recursion, over a text that may still be arriving.
 *
 * LangChain's splitter first looks for a separator that occurs in the text. That is not needed: a text without a
 * separator is a single piece, and a piece as long as a chunk is cut by the next separator anyway. So each level cuts
 * the text that has arrived, and a piece that is known to be long goes down a level before its end is seen.
 */
export class SeparatorAlgorithm implements CutAlgorithm {
  readonly #text: StreamedText
  readonly #rules: SeparatorRules
  /** The levels used so far, from the top. */
  readonly #levels: Level[] = []
  /** The separators before an empty one; after them, one level cuts between any two units. */
  readonly #named: readonly string[]
  readonly #endsWithEmpty: boolean
  #depth = 0

  constructor(text: StreamedText, rules: SeparatorRules) {
    const empty = rules.separators.indexOf('')
    this.#text = text
    this.#rules = rules
    this.#named = empty < 0 ? rules.separators : rules.separators.slice(0, empty)
    this.#endsWithEmpty = empty >= 0 || this.#named.length === 0
    this.#levels.push(this.#newLevel(0))
  }

  #newLevel(lag: number): Level {
    const separator = this.#named[this.#depth] ?? ''
    const adjoining = this.#rules.keepSeparator || separator === ''
    const level: Level = {
      separator,
      dropped: adjoining ? 0 : separator.length,
      lag,
      builder: adjoining
        ? new AdjacentChunkBuilder(this.#text, separator, this.#rules, (reach) =>
            this.#lastCutBefore(level, reach),
          )
        : new JoiningChunkBuilder(this.#text, separator, this.#rules),
      from: 0,
      limit: NOWHERE,
      at: 0,
      next: -1,
    }
    return level
  }

  cut(): Piece[] {
    this.#searchAgain()
    while (this.#step());
    const { at, builder } = this.#levels[this.#depth]!
    if (!this.#text.complete) this.#text.release(Math.min(at, builder.start))
    return this.#text.drainPieces()
  }

  // A separator that was not found before may have arrived.
  #searchAgain(): void {
    if (this.#text.complete) this.#levels[0]!.limit = this.#text.end
    for (const [depth, level] of this.#levels.entries()) {
      if (level.next === NOWHERE) level.next = -1
      const above = this.#levels[depth - 1]
      if (above && depth <= this.#depth && level.limit === NOWHERE) level.limit = this.#pieceEnd(above)
    }
  }

  // Adds a piece, goes down into it, or goes up again. Returns false if more text is needed, or at the end.
  #step(): boolean {
    const level = this.#levels[this.#depth]!
    if (level.at >= level.limit) return this.#ascend(level)
    const end = this.#pieceEnd(level)
    if (this.#isLong(level, end)) {
      level.builder.flush()
      if (!this.#staysWhole(level, end)) return this.#descend(level, end)
      if (end === NOWHERE) return false
      this.#text.addPiece(level.at, end)
      level.at = end + level.dropped
      level.builder.restart(level.at)
      return true
    }
    if (end === NOWHERE) return false
    level.at = (end > level.at ? level.builder.add(level.at, end) : end) + level.dropped
    return true
  }

  #descend(level: Level, end: number): true {
    this.#depth++
    if (this.#depth === this.#levels.length)
      this.#levels.push(this.#newLevel(level.lag + level.separator.length - 1))
    const below = this.#levels[this.#depth]!
    below.from = level.at
    below.at = level.at
    below.limit = end
    below.builder.restart(level.at)
    return true
  }

  #ascend(level: Level): boolean {
    level.builder.flush()
    level.builder.restart(level.at)
    if (this.#depth === 0) return false
    const above = this.#levels[--this.#depth]!
    above.at = level.limit + above.dropped
    above.builder.restart(above.at)
    return true
  }

  // Where the current piece ends: at the next separator, or with the piece of the level above; Infinity while neither
  // has arrived.
  #pieceEnd(level: Level): number {
    const { separator, at } = level
    const from = level.dropped > 0 ? at : at + 1
    if (separator === '') return from <= this.#horizon(level) ? from : level.limit
    if (level.next < from) level.next = this.#text.find(separator, from)
    return level.next + separator.length <= this.#horizon(level) ? level.next : level.limit
  }

  // The last separator at or before a position, for pieces that keep theirs.
  #lastCutBefore(level: Level, reach: number): number {
    if (level.limit <= reach) return level.limit
    const last = Math.min(reach, this.#horizon(level) - level.separator.length)
    return level.separator === '' ? last : this.#text.findLast(level.separator, last)
  }

  // The position up to which the cuts of the higher levels are known.
  #horizon(level: Level): number {
    if (level.limit !== NOWHERE) return level.limit
    return this.#text.end - level.lag
  }

  #isLong(level: Level, end: number): boolean {
    if (!this.#rules.descend) return false
    const { at, separator } = level
    const known = end === NOWHERE ? this.#horizon(level) - Math.max(separator.length - 1, 0) : end
    return known - at >= this.#rules.chunkSize || this.#isShortTextWithout(level, end)
  }

  // A dropped separator changes a short text too: as in LangChain, the first one that occurs in the text is dropped.
  #isShortTextWithout(level: Level, end: number): boolean {
    return (
      level.dropped > 0 &&
      this.#depth < this.#named.length - 1 &&
      level.at === 0 &&
      this.#text.complete &&
      end === this.#text.end
    )
  }

  // After the last separator LangChain cuts between any two units, but only if that separator occurs in the text.
  #staysWhole(level: Level, end: number): boolean {
    if (level.separator === '') return true
    return (
      !this.#endsWithEmpty &&
      this.#depth === this.#named.length - 1 &&
      level.at === level.from &&
      end === level.limit &&
      !this.#text.startsWith(level.separator, level.at)
    )
  }
}
