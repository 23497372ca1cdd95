import type { Piece } from '../contract/splitter.ts'
import { copyString } from './copy-string.ts'
import { LineBreaks } from './line-breaks.ts'
import { isWhiteSpace } from './white-space.ts'

const LINE = '\n'
const PARAGRAPH = '\n\n'

const isBreak = (what: string) => what === PARAGRAPH || what === LINE

/**
 * A window over a text that arrives in parts and is dropped again from the front. Positions are UTF-16 code units
 * from the first unit of the whole text, also after a part was dropped; a search that finds nothing answers Infinity.
 * Pieces are slices: they copy nothing and keep in memory what the window held when they were taken.
 */
export class StreamedText {
  #text: string
  #base = 0
  #pieces: Piece[] = []
  readonly #breaks = new LineBreaks()
  /** Whether the end of the text is here. */
  complete: boolean

  /** A whole text, or nothing yet, to which parts are appended. */
  constructor(whole?: string) {
    this.#text = whole ?? ''
    this.complete = whole !== undefined
    this.#breaks.set(this.#text, 0)
  }

  get end(): number {
    return this.#base + this.#text.length
  }

  /** How much of the text is held. */
  get length(): number {
    return this.#text.length
  }

  append(part: string, complete: boolean): void {
    this.#text = copyString(this.#text + part)
    this.complete = complete
    this.#breaks.set(this.#text, this.#base)
  }

  /** Lets go of what lies before a position. */
  release(position: number): void {
    this.#breaks.count(position)
    this.#text = this.#text.slice(position - this.#base)
    this.#base = position
    this.#breaks.set(this.#text, position)
  }

  find(what: string, from: number): number {
    if (isBreak(what)) return this.#breaks.find(from, what === PARAGRAPH)
    const found = this.#text.indexOf(what, from - this.#base)
    return found < 0 ? Number.POSITIVE_INFINITY : found + this.#base
  }

  /** The last place at or before `from` where `what` begins; the caller knows that there is one. */
  findLast(what: string, from: number): number {
    if (isBreak(what)) return this.#breaks.findLast(from, what === PARAGRAPH)
    return this.#text.lastIndexOf(what, from - this.#base) + this.#base
  }

  startsWith(what: string, at: number): boolean {
    return this.#text.startsWith(what, at - this.#base)
  }

  slice(start: number, end: number): string {
    return this.#text.slice(start - this.#base, end - this.#base)
  }

  /** Makes a piece of a stretch without the white space around it; nothing, where nothing is left. */
  addTrimmedPiece(start: number, end: number): void {
    const text = this.#text
    const base = this.#base
    let first = start - base
    let last = end - base
    while (first < last && isWhiteSpace(text.charCodeAt(first))) first++
    while (first < last && isWhiteSpace(text.charCodeAt(last - 1))) last--
    if (first < last) this.addPiece(first + base, last + base)
  }

  /** Makes a piece of a stretch as it is, or of `text` that was made from it. */
  addPiece(start: number, end: number, text = this.slice(start, end)): void {
    this.#pieces.push({ text, lines: this.#lines(start, end) })
  }

  // A line break belongs to the line it ends. Starts never go back.
  #lines(start: number, end: number): { from: number; to: number } {
    const to = this.#breaks.count(end) + 1
    const from = this.#breaks.count(start) + 1
    this.#breaks.forget(start)
    return { from, to }
  }

  /** The pieces taken since the last call. */
  drainPieces(): Piece[] {
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }
}
