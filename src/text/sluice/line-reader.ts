import type { StreamedText } from '../streamed-text.ts'
import type { Outline } from './outline.ts'
import type { RankedBreaks } from './ranked-breaks.ts'

/** What the lines of a document are read into. */
export type Lines = { text: StreamedText; breaks: RankedBreaks; outline: Outline }

/** Reads the lines of a text in order, and notes where it may be cut and which headings hold from where on. */
export type LineReader = {
  /** Whether sentences are looked for inside of lines. */
  readonly hasSentences: boolean
  /** @param end the end of the line without its line break; of a long line, a place in it */
  read(start: number, end: number): void
}

/** How many units of a line are looked at, and of the line after it. */
export const LOOK = 512

/** The longest title, in UTF-16 units; longer ones are cut. */
const LONGEST_TITLE = 80

/** The level of what is inside of every heading: the columns of a table, the cells of a row. */
export const INNERMOST = 1_000_000

/** A title on one line. */
export function headingTitle(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= LONGEST_TITLE) return line
  const cut = line.slice(0, LONGEST_TITLE)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LONGEST_TITLE / 2)).toWellFormed()}…`
}
