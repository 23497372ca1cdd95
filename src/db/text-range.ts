import type { TextRange } from '../contract/document.ts'
import { textOfPassage } from '../documents/passage.ts'

/** A range as it is read, with `text_start AS start, text_end AS end`. */
export type RangeRow = { start: number | null; end: number | null }

export const rangeOf = ({ start, end }: RangeRow): TextRange | undefined =>
  start === null || end === null ? undefined : { start, end }

/** A chunk's passage, and where its text is in the extracted text of its source. */
export type TextPart = { content: string; from: number; to: number }

/**
 * The text between two positions, put together from chunks in the order of their positions. Positions that no chunk covers,
 * mostly white space between two chunks, are blank.
 */
export function joinParts(
  parts: readonly TextPart[],
  { start, end }: { start: number; end: number },
): string {
  let text = ''
  let at = start
  for (const { content: passage, from, to } of parts) {
    if (to <= at) continue
    const content = textOfPassage(passage)
    if (from > at) text += blank(from - at)
    const fitted = content.length === to - from ? content : content.slice(0, to - from).padEnd(to - from)
    text += fitted.slice(Math.max(0, at - from))
    at = to
  }
  if (at < end) text += blank(end - at)
  return text.slice(0, Math.max(0, end - start))
}

/** A gap of one unit is a space; a longer one is mostly a line break. */
const blank = (units: number): string => (units === 1 ? ' ' : `\n${' '.repeat(units - 2)}\n`)
