import type { Piece } from '../contract/splitter.ts'
import type { StreamedText } from './streamed-text.ts'
import type { CutAlgorithm } from './streaming-cutter.ts'
import type { ChunkSizes } from './chunk-sizes.ts'
import { AdjacentChunkBuilder, JoiningChunkBuilder, type ChunkBuilder } from './chunk-builders.ts'

export type SeparatorRules = ChunkSizes & {
  /** Tried in order; the empty one stands for a cut after every code unit and ends the list. */
  separators: readonly string[]
  /** Whether a separator stays, at the front of the piece it begins, or is dropped. */
  keepSeparator: boolean
  /** Whether a piece as long as a chunk is cut by the separators after the one that made it, or left whole. */
  descend: boolean
}

/** One separator at work on one piece of the level above it. */
type Level = {
  readonly separator: string
  /** How much of a separator is dropped after a piece. */
  readonly dropped: number
  /** How far before the end of what has arrived a separator of a level above may begin without being seen yet. */
  readonly lag: number
  readonly window: ChunkBuilder
  /** Where the stretch under work begins, and where it ends: Infinity while its end has not arrived. */
  from: number
  limit: number
  /** Where the next piece begins. */
  at: number
  /** The first separator found at or after the last place asked for. */
  next: number
}

const NOWHERE = Number.POSITIVE_INFINITY

/**
 * The recursive splitter without recursion, over a text that may still be arriving.
 *
 * The original asks which separator occurs at all before it cuts a text; but a text without a separator is one piece,
 * and a piece as long as a chunk goes to the next separator anyway. So each level cuts what is there, and a piece
 * known to be long goes down a level before its end has been seen.
 */
export class SeparatorAlgorithm implements CutAlgorithm {
  readonly #scroll: StreamedText
  readonly #rules: SeparatorRules
  /** The levels that were reached so far, from the top. */
  readonly #levels: Level[] = []
  /** The separators before an empty one; below them, one level cuts between any two units. */
  readonly #named: readonly string[]
  readonly #endsWithEmpty: boolean
  #depth = 0

  constructor(scroll: StreamedText, rules: SeparatorRules) {
    const empty = rules.separators.indexOf('')
    this.#scroll = scroll
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
      window: adjoining
        ? new AdjacentChunkBuilder(this.#scroll, separator, this.#rules, (reach) =>
            this.#furthest(level, reach),
          )
        : new JoiningChunkBuilder(this.#scroll, separator, this.#rules),
      from: 0,
      limit: NOWHERE,
      at: 0,
      next: -1,
    }
    return level
  }

  cut(): Piece[] {
    this.#lookAgain()
    while (this.#step());
    const { at, window } = this.#levels[this.#depth]!
    if (!this.#scroll.complete) this.#scroll.release(Math.min(at, window.start))
    return this.#scroll.drainPieces()
  }

  // What was not to be found before may have arrived by now.
  #lookAgain(): void {
    if (this.#scroll.complete) this.#levels[0]!.limit = this.#scroll.end
    for (const [depth, level] of this.#levels.entries()) {
      if (level.next === NOWHERE) level.next = -1
      const above = this.#levels[depth - 1]
      if (above && depth <= this.#depth && level.limit === NOWHERE) level.limit = this.#pieceEnd(above)
    }
  }

  // Takes in a piece, goes down into it or comes up again; false where the text has to go on first, or is done.
  #step(): boolean {
    const level = this.#levels[this.#depth]!
    if (level.at >= level.limit) return this.#ascend(level)
    const end = this.#pieceEnd(level)
    if (this.#isLong(level, end)) {
      level.window.flush()
      if (!this.#staysWhole(level, end)) return this.#descend(level, end)
      if (end === NOWHERE) return false
      this.#scroll.addPiece(level.at, end)
      level.at = end + level.dropped
      level.window.restart(level.at)
      return true
    }
    if (end === NOWHERE) return false
    level.at = (end > level.at ? level.window.add(level.at, end) : end) + level.dropped
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
    below.window.restart(level.at)
    return true
  }

  #ascend(level: Level): boolean {
    level.window.flush()
    level.window.restart(level.at)
    if (this.#depth === 0) return false
    const above = this.#levels[--this.#depth]!
    above.at = level.limit + above.dropped
    above.window.restart(above.at)
    return true
  }

  // Where the piece under work ends: at the next separator, or with the stretch; Infinity while neither is in sight.
  #pieceEnd(level: Level): number {
    const { separator, at } = level
    const from = level.dropped > 0 ? at : at + 1
    if (separator === '') return from <= this.#horizon(level) ? from : level.limit
    if (level.next < from) level.next = this.#scroll.find(separator, from)
    return level.next + separator.length <= this.#horizon(level) ? level.next : level.limit
  }

  // The last separator that begins at or before a position, for pieces that keep theirs.
  #furthest(level: Level, reach: number): number {
    if (level.limit <= reach) return level.limit
    const last = Math.min(reach, this.#horizon(level) - level.separator.length)
    return level.separator === '' ? last : this.#scroll.findLast(level.separator, last)
  }

  // The position up to which the cuts of the levels above are known.
  #horizon(level: Level): number {
    if (level.limit !== NOWHERE) return level.limit
    return this.#scroll.end - level.lag
  }

  #isLong(level: Level, end: number): boolean {
    if (!this.#rules.descend) return false
    const { at, separator } = level
    const known = end === NOWHERE ? this.#horizon(level) - Math.max(separator.length - 1, 0) : end
    return known - at >= this.#rules.chunkSize || this.#isShortTextWithout(level, end)
  }

  // Dropped separators leave their mark on a short text too: the first that occurs in it is the one to be dropped.
  #isShortTextWithout(level: Level, end: number): boolean {
    return (
      level.dropped > 0 &&
      this.#depth < this.#named.length - 1 &&
      level.at === 0 &&
      this.#scroll.complete &&
      end === this.#scroll.end
    )
  }

  // The original cuts between any two units after its last separator, but only where that separator occurs.
  #staysWhole(level: Level, end: number): boolean {
    if (level.separator === '') return true
    return (
      !this.#endsWithEmpty &&
      this.#depth === this.#named.length - 1 &&
      level.at === level.from &&
      end === level.limit &&
      !this.#scroll.startsWith(level.separator, level.at)
    )
  }
}
