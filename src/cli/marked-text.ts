import type { Paint, Style } from './paint.ts'
import { displayWidth, printable, shorten } from './printable.ts'

type Span = { from: number; to: number }

const MARK: Style = ['bold', 'yellow']

const words = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * A part of a text as lines for a terminal, with the marked words painted. Lines break between words, also in languages
 * without spaces.
 *
 * @param columns the width of a line
 */
export function markedLines(
  text: string,
  { from, to }: Span,
  marks: readonly Span[],
  columns: number,
  paint: Paint,
): string[] {
  const lines: string[] = []
  let line = ''
  let width = 0
  const end = () => {
    lines.push(line.trimEnd())
    line = ''
    width = 0
  }
  for (const { index, segment, isWordLike } of words.segment(printable(text.slice(from, to)))) {
    const at = from + index
    const space = segment.trim() === ''
    const wide = displayWidth(segment)
    // A line never begins with punctuation.
    if (width + wide > columns && width > 0 && (space || isWordLike)) end()
    if (space && width === 0) continue
    const shown = shorten(segment, columns)
    const marked = isWordLike && marks.some((mark) => mark.from < at + segment.length && at < mark.to)
    line += marked ? paint(MARK, shown) : space ? ' ' : shown
    width += space ? 1 : displayWidth(shown)
  }
  if (line !== '') end()
  return lines
}
