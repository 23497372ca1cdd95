import type { Cutter, Piece } from '../contract/splitter.ts'
import type { SeparatorRules } from './separator-algorithm.ts'
import { openSeparatorCutter } from './separator-splitter.ts'

/** Parts are gathered up to this many units before they are looked at. */
const LEAST = 16_384
/** How far beyond the beginning of a line one has to see to know it for a heading or a fence. */
const SIGHT = 2048

/**
 * A line that may matter, as CommonMark 0.31 has it: an ATX heading (4.2), or the fence of a code block (4.5), whose
 * info string holds no backtick where the fence is made of them. The groups are the heading's and the fence's marks.
 */
const MARK = /(?:^|(?<=\n)) {0,3}(?:(#{1,6})(?=[ \t\r\n]|$)|(`{3,500}(?=[^`\n]{0,1000}(?:\n|$))|~{3,500}))/g
const BLANK_REST = /[ \t]{0,1000}\r?(?:\n|$)/y

/**
 * Cuts markdown before headings up to a depth, and what lies between them by size. A `#` inside a fenced code block is
 * no heading.
 */
export class HeadingCutter implements Cutter {
  readonly #depth: number
  readonly #rules: SeparatorRules
  #section: Cutter
  #gathered = ''
  #atLineStart = true
  #fence: string | undefined
  /** Line breaks before the text at hand, and before the section. */
  #breaks = 0
  #breaksBeforeSection = 0

  constructor(depth: number, rules: SeparatorRules) {
    this.#depth = depth
    this.#rules = rules
    this.#section = openSeparatorCutter(rules)
  }

  push(part: string): Piece[] {
    this.#gathered += part
    return this.#gathered.length < LEAST ? [] : this.#cut(this.#gathered.length - SIGHT)
  }

  end(): Piece[] {
    return [...this.#cut(this.#gathered.length), ...this.#endSection()]
  }

  #cut(until: number): Piece[] {
    const text = this.#gathered
    const pieces: Piece[][] = []
    let from = 0
    for (const heading of this.#headings(text, until)) {
      pieces.push(this.#goOn(text.slice(from, heading)), this.#endSection())
      from = heading
    }
    pieces.push(this.#goOn(text.slice(from, until)))
    if (until > 0) this.#atLineStart = text[until - 1] === '\n'
    this.#gathered = text.slice(until)
    return pieces.flat()
  }

  #goOn(text: string): Piece[] {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#breaks++
    return this.#placed(this.#section.push(text))
  }

  #endSection(): Piece[] {
    const pieces = this.#placed(this.#section.end())
    this.#section = openSeparatorCutter(this.#rules)
    this.#breaksBeforeSection = this.#breaks
    return pieces
  }

  // A section counts its lines from 1.
  #placed(pieces: Piece[]): Piece[] {
    const before = this.#breaksBeforeSection
    return pieces.map(({ text, lines }) => ({
      text,
      lines: { from: before + lines!.from, to: before + lines!.to },
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
