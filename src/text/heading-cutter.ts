import type { Cutter, Piece } from '../contract/splitter.ts'
import type { SeparatorRules } from './separator-algorithm.ts'
import { openSeparatorCutter } from './separator-splitter.ts'

/** Parts are collected up to this many units before they are searched. */
const MIN_UNITS = 16_384
/** Units after the beginning of a line that are needed to recognise a heading or a fence. */
const LOOKAHEAD = 2048

/**
 * A heading or a fence in CommonMark 0.31: an ATX heading (4.2), or the fence of a code block (4.5), whose info
 * string has no backtick if the fence is made of them. The groups are the marks of heading and fence.
 */
const MARK = /(?:^|(?<=\n)) {0,3}(?:(#{1,6})(?=[ \t\r\n]|$)|(`{3,500}(?=[^`\n]{0,1000}(?:\n|$))|~{3,500}))/g
const BLANK_REST = /[ \t]{0,1000}\r?(?:\n|$)/y

/**
 * Cuts markdown before headings up to a depth, and the sections between them by size. A `#` inside a fenced code
 * block is not a heading.
 */
export class HeadingCutter implements Cutter {
  readonly #depth: number
  readonly #rules: SeparatorRules
  #section: Cutter
  #pending = ''
  #atLineStart = true
  #fence: string | undefined
  /** Line breaks before the current text, and before the section. */
  #breaks = 0
  #breaksBeforeSection = 0
  /** Units before the current text, and before the section. */
  #units = 0
  #unitsBeforeSection = 0

  constructor(depth: number, rules: SeparatorRules) {
    this.#depth = depth
    this.#rules = rules
    this.#section = openSeparatorCutter(rules)
  }

  push(part: string): Piece[] {
    this.#pending += part
    return this.#pending.length < MIN_UNITS ? [] : this.#cut(this.#pending.length - LOOKAHEAD)
  }

  end(): Piece[] {
    return [...this.#cut(this.#pending.length), ...this.#endSection()]
  }

  #cut(until: number): Piece[] {
    const text = this.#pending
    const pieces: Piece[][] = []
    let from = 0
    for (const heading of this.#headings(text, until)) {
      pieces.push(this.#continueSection(text.slice(from, heading)), this.#endSection())
      from = heading
    }
    pieces.push(this.#continueSection(text.slice(from, until)))
    if (until > 0) this.#atLineStart = text[until - 1] === '\n'
    this.#pending = text.slice(until)
    return pieces.flat()
  }

  #continueSection(text: string): Piece[] {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#breaks++
    this.#units += text.length
    return this.#asPartOfDocument(this.#section.push(text))
  }

  #endSection(): Piece[] {
    const pieces = this.#asPartOfDocument(this.#section.end())
    this.#section = openSeparatorCutter(this.#rules)
    this.#breaksBeforeSection = this.#breaks
    this.#unitsBeforeSection = this.#units
    return pieces
  }

  // The cutter of a section counts lines from 1 and units from 0.
  #asPartOfDocument(pieces: Piece[]): Piece[] {
    const before = this.#breaksBeforeSection
    const units = this.#unitsBeforeSection
    return pieces.map(({ text, lines, range }) => ({
      text,
      lines: { from: before + lines!.from, to: before + lines!.to },
      range: { start: units + range!.start, end: units + range!.end },
    }))
  }

  *#headings(text: string, until: number): Generator<number> {
    for (const { index, 0: match, 1: heading, 2: fence } of text.matchAll(MARK)) {
      if (index >= until) return
      if (index === 0 && !this.#atLineStart) continue
      if (this.#fence === undefined) {
        this.#fence = fence
        if (heading && heading.length <= this.#depth) yield index
      } else if (fence?.startsWith(this.#fence) && isBlank(text, index + match.length))
        this.#fence = undefined
    }
  }
}

function isBlank(text: string, from: number): boolean {
  BLANK_REST.lastIndex = from
  return BLANK_REST.test(text)
}
