import type { Piece } from '../contract/splitter.ts'
import { copyString } from './copy-string.ts'
import { LineBreaks } from './line-breaks.ts'
import { isWhiteSpace } from './white-space.ts'

const LINE = '\n'
const PARAGRAPH = '\n\n'
const TAB = 0x09
const SPACE = 0x20

const isBreak = (separator: string) => separator === PARAGRAPH || separator === LINE

/**
 * A text that arrives in parts and is dropped from the front. Positions are UTF-16 code units from the start of the
 * whole text, also after a part was dropped; a search without a result returns Infinity. Pieces are slices: they copy
 * nothing, but keep in memory the text that was held when they were added.
 */
export class StreamedText {
  #text: string
  #base = 0
  #pieces: Piece[] = []
  readonly #breaks = new LineBreaks()
  /** Whether the end of the text has arrived. */
  complete: boolean

  /** @param whole the whole text; without it parts are appended */
  constructor(whole?: string) {
    this.#text = whole ?? ''
    this.complete = whole !== undefined
    this.#breaks.set(this.#text, 0)
  }

  /** Where the text that is held begins. */
  get start(): number {
    return this.#base
  }

  get end(): number {
    return this.#base + this.#text.length
  }

  /** Units of the text that are held. */
  get length(): number {
    return this.#text.length
  }

  append(part: string, complete: boolean): void {
    this.#text = this.#text === '' ? copyString(part) : [this.#text, part].join('')
    this.complete = complete
    this.#breaks.set(this.#text, this.#base)
  }

  /** Drops the text before a position. */
  release(position: number): void {
    this.#breaks.count(position)
    this.#text = this.#text.slice(position - this.#base)
    this.#base = position
    this.#breaks.set(this.#text, position)
  }

  find(separator: string, from: number): number {
    if (isBreak(separator)) return this.#breaks.find(from, separator === PARAGRAPH)
    const found = this.#text.indexOf(separator, from - this.#base)
    return found < 0 ? Number.POSITIVE_INFINITY : found + this.#base
  }

  /** Where the line ends in which a position is: at its line break; Infinity in the last line. */
  lineEnd(from: number): number {
    return this.#breaks.find(from, false)
  }

  /** The last position at or before `from` where `separator` begins; there must be one. */
  findLast(separator: string, from: number): number {
    if (isBreak(separator)) return this.#breaks.findLast(from, separator === PARAGRAPH)
    return this.#text.lastIndexOf(separator, from - this.#base) + this.#base
  }

  startsWith(separator: string, at: number): boolean {
    return this.#text.startsWith(separator, at - this.#base)
  }

  /** The code unit at a position that is held. */
  unit(position: number): number {
    return this.#text.charCodeAt(position - this.#base)
  }

  /** The first place from one on, at most `end`, with a unit that is no space. */
  skipBlanks(from: number, end: number): number {
    const text = this.#text
    const last = end - this.#base
    let at = from - this.#base
    while (at < last && text.charCodeAt(at) === SPACE) at++
    return at + this.#base
  }

  /** The first place from one on, at most `end`, with a unit that is no white space. */
  skipSpace(from: number, end: number): number {
    const text = this.#text
    const last = end - this.#base
    let at = from - this.#base
    while (at < last && isWhiteSpace(text.charCodeAt(at))) at++
    return at + this.#base
  }

  /** The last place up to `end`, at least `from`, with a unit before it that is no white space. */
  skipSpaceBack(from: number, end: number): number {
    const text = this.#text
    const first = from - this.#base
    let at = end - this.#base
    while (at > first && isWhiteSpace(text.charCodeAt(at - 1))) at--
    return at + this.#base
  }

  /** How many units are tabs between two places. */
  tabs(from: number, end: number): number {
    const text = this.#text
    const last = end - this.#base
    let tabs = 0
    for (let at = from - this.#base; at < last; at++) if (text.charCodeAt(at) === TAB) tabs++
    return tabs
  }

  slice(start: number, end: number): string {
    return this.#text.slice(start - this.#base, end - this.#base)
  }

  /** Adds the text from `start` to `end` as a piece, without the white space around it; nothing if it is blank. */
  addTrimmedPiece(start: number, end: number): void {
    const first = this.skipSpace(start, end)
    const last = this.skipSpaceBack(first, end)
    if (first < last) this.addPiece(first, last)
  }

  /** Adds the text from `start` to `end` as a piece, or `text` that was made from it. */
  addPiece(
    start: number,
    end: number,
    text = this.slice(start, end),
    about?: Pick<Piece, 'head' | 'headings'>,
  ): void {
    const piece: Piece = { text, lines: this.#lines(start, end), range: { start, end } }
    if (about?.head !== undefined) piece.head = about.head
    if (about?.headings !== undefined) piece.headings = about.headings
    this.#pieces.push(piece)
  }

  // A line break belongs to the line that it ends. `start` never decreases.
  #lines(start: number, end: number): { from: number; to: number } {
    const to = this.#breaks.count(end) + 1
    const from = this.#breaks.count(start) + 1
    this.#breaks.drop(start)
    return { from, to }
  }

  /** The pieces added since the last call. */
  drainPieces(): Piece[] {
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }
}
