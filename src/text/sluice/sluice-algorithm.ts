import type { Piece } from '../../contract/splitter.ts'
import type { ChunkSizes } from '../chunk-sizes.ts'
import type { StreamedText } from '../streamed-text.ts'
import type { CutAlgorithm } from '../streaming-cutter.ts'
import { isWhiteSpace } from '../white-space.ts'
import { type LineReader, LOOK } from './line-reader.ts'
import type { Outline } from './outline.ts'
import { LONGEST_HEADING } from './prose-lines.ts'
import { RANK, type RankedBreaks } from './ranked-breaks.ts'
import { firstSentenceStart, lastSentenceStart, lastWordStart } from './sentence-break.ts'

/** How many units after the longest chunk must have arrived before it is cut. */
const AHEAD = 2 * LOOK

/** The share of a chunk that must be full before it may end at a place of a rank; the first rank with such a place decides. */
const FULL: readonly (readonly [rank: number, share: number])[] = [
  [RANK.SECTION, 0.3],
  [RANK.DEFINITION, 0.3],
  [RANK.PARAGRAPH, 0.5],
  [RANK.LINE, 0.5],
]

/** From this share on a chunk ends at the first heading. */
const FULL_FOR_SECTION = 0.5

/** How the head of a chunk is made of what is above its text. */
export type Heads = (place: { headings: string[]; above: string[] }) => Pick<Piece, 'head' | 'headings'>

export type SluiceRules = ChunkSizes & {
  lines: LineReader
  breaks: RankedBreaks
  outline: Outline
  heads: Heads
}

/** Cuts a text that may still be arriving at the best place that lets a chunk be large. */
export class SluiceAlgorithm implements CutAlgorithm {
  readonly #text: StreamedText
  readonly #rules: SluiceRules
  /** Where the current chunk begins, and where the one before ended. */
  #start = 0
  #done = 0
  /** Where the text of the last chunk ended. */
  #shown = 0
  /** The next line that is not read. */
  #line = 0
  #isRead = false

  constructor(text: StreamedText, rules: SluiceRules) {
    this.#text = text
    this.#rules = rules
  }

  cut(): Piece[] {
    const text = this.#text
    const { chunkSize, breaks } = this.#rules
    while (this.#start < text.end && (text.complete || text.end >= this.#start + chunkSize + AHEAD)) {
      this.#readLines(this.#start + chunkSize)
      const end = this.#chooseEnd()
      this.#add(this.#start, end)
      this.#done = end
      this.#start = end < text.end || !text.complete ? this.#chooseStart(end) : text.end
      breaks.drop(this.#start - 1)
    }
    if (!text.complete) text.release(Math.max(text.start, this.#start - 1))
    return text.drainPieces()
  }

  /** Reads all lines that begin before or at a place. */
  #readLines(until: number): void {
    const text = this.#text
    const { lines } = this.#rules
    while (this.#line <= until && this.#line < text.end) {
      const end = text.lineEnd(this.#line)
      if (!this.#isRead) lines.read(this.#line, Math.min(end, text.end, this.#line + LOOK))
      this.#isRead = end > text.end
      if (this.#isRead) return
      this.#line = end + 1
    }
  }

  #chooseEnd(): number {
    const text = this.#text
    const { chunkSize, breaks } = this.#rules
    const start = this.#start
    const limit = start + chunkSize
    const least = Math.max(this.#done, start)
    const after = (share: number) => Math.max(least, start + Math.floor(share * chunkSize))
    const section = breaks.first(after(FULL_FOR_SECTION), limit, RANK.SECTION)
    if (section >= 0) return section
    if (text.complete && text.end <= limit) return text.end
    for (const [rank, share] of FULL) {
      const place = breaks.last(after(share), limit, rank)
      if (place >= 0) return place
    }
    const sentence = this.#lastSentence(least, limit)
    if (sentence >= 0) return sentence
    // With less in front, the sentence that does not end may fit.
    if (this.#done > start) {
      this.#start = this.#done
      this.#readLines(this.#start + chunkSize)
      return this.#chooseEnd()
    }
    return this.#anyEnd(least, limit)
  }

  /** The last place between sentences; a place between lines of any rank is one too if no better is near. */
  #lastSentence(least: number, limit: number): number {
    const { lines, breaks } = this.#rules
    const line = breaks.last(least, limit, RANK.SENTENCE)
    if (!lines.hasSentences) return line
    let sentence = lastSentenceStart(this.#text, least, limit)
    // A line after a heading begins a sentence, too.
    while (sentence >= 0 && this.#isUnwanted(sentence))
      sentence = lastSentenceStart(this.#text, least, sentence - 1)
    return Math.max(line, sentence)
  }

  /** Whether a sentence begins at a place that is between two lines, where another rank says no, or inside of a heading. */
  #isUnwanted(place: number): boolean {
    const line = this.#lineStart(place)
    const rank = this.#rules.breaks.rankOf(line)
    return rank === undefined
      ? line === place && this.#isInHeading(place)
      : rank < RANK.SENTENCE && rank !== RANK.WRAPPED
  }

  #isInHeading(place: number): boolean {
    const text = this.#text
    const least = Math.max(text.start, place - LONGEST_HEADING)
    let line = place
    while (line > least && text.unit(line - 1) !== 0x0a) line--
    return HEADING.test(text.slice(line, Math.min(place, line + 12)))
  }

  /** The begin of the line, where only white space is between it and a place; else the place. */
  #lineStart(place: number): number {
    let at = place
    while (at > this.#text.start && isBlankUnit(this.#text.unit(at - 1))) at--
    return at > this.#text.start && this.#text.unit(at - 1) === 0x0a ? at : place
  }

  #anyEnd(least: number, limit: number): number {
    const text = this.#text
    const { breaks, chunkSize } = this.#rules
    const half = Math.max(least, limit - Math.floor(chunkSize / 2))
    const loose = breaks.last(half, limit, RANK.LOOSE)
    if (loose >= 0) return loose
    const clause = lastWordStart(text, Math.max(least, limit - Math.floor(chunkSize / 4)), limit, false)
    if (clause > least) return clause
    const word = lastWordStart(text, least, limit, true)
    if (word > least) return word
    return isSecondHalf(text.unit(limit)) && limit - 1 > least ? limit - 1 : limit
  }

  /** Where the chunk after one that ends at a place begins: some sentences earlier, if it goes on with the same paragraph. */
  #chooseStart(end: number): number {
    const { chunkOverlap, breaks, lines } = this.#rules
    const from = Math.max(this.#start, end - chunkOverlap - 1)
    if (chunkOverlap === 0 || from >= end) return end
    const rank = breaks.rankOf(end)
    if (rank !== undefined && rank >= RANK.PARAGRAPH) return end
    const line = breaks.first(from, end - 1, RANK.LINE)
    const sentence = lines.hasSentences ? firstSentenceStart(this.#text, from, end) : -1
    if (line >= 0 && (sentence < 0 || line < sentence)) return line
    if (sentence >= 0) return sentence
    return rank === undefined || rank < RANK.SENTENCE ? this.#wordAfter(from, end) : end
  }

  /** Of a sentence that is longer than the overlap, its end is repeated. */
  #wordAfter(from: number, end: number): number {
    for (let at = from; at < end; at++) if (isWhiteSpace(this.#text.unit(at))) return at + 1
    return end
  }

  #add(start: number, end: number): void {
    const text = this.#text
    let first = text.skipSpace(start, end)
    if (first === end) return
    const last = text.skipSpaceBack(first, end)
    // Nothing but what the chunk before has, too.
    if (last <= this.#shown) return
    this.#shown = last
    const place = this.#rules.outline.at(start, first)
    // The indentation of code is a part of it.
    if (!this.#rules.lines.hasSentences) while (first > start && isBlankUnit(text.unit(first - 1))) first--
    text.addPiece(first, last, undefined, this.#rules.heads(place))
  }
}

/** The begin of a heading in markdown. */
const HEADING = /^ {0,3}#{1,6}\s/
const isBlankUnit = (unit: number): boolean => unit === 0x20 || unit === 0x09
const isSecondHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
