import type { TextRange } from '../contract/document.ts'
import { textOfPassage } from '../documents/passage.ts'
import { blankOf } from '../text/trace/source-tracer.ts'

/** A range as it is read, with `text_start AS start, text_end AS end`. */
export type RangeRow = { start: number | null; end: number | null }

export const rangeOf = ({ start, end }: RangeRow): TextRange | undefined =>
  start === null || end === null ? undefined : { start, end }

/** A chunk's passage, and where its text is in the extracted text of its source. */
export type TextPart = { content: string; from: number; to: number }

/**
 * The text between two positions, put together from parts in the order of their positions. Positions that no part covers,
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
    if (from > at) text += blankOf(from - at)
    const fitted = content.length === to - from ? content : content.slice(0, to - from).padEnd(to - from)
    text += fitted.slice(Math.max(0, at - from))
    at = to
  }
  if (at < end) text += blankOf(end - at)
  return text.slice(0, Math.max(0, end - start))
}
