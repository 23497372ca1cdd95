import type { Paint, Style } from './paint.ts'
import { displayWidth, printable, wrap } from './printable.ts'

export type Column<R> = {
  title: string
  value(row: R): string | number | undefined
  /** Aligns the column to the right, for numbers. */
  right?: true
  style?(row: R): Style | undefined
}

/** A last column that is narrower is written below its row. */
const NARROWEST_LAST = 40

/**
 * Rows under titles, in aligned columns; every line ends in a line feed.
 *
 * @param width of a line: the last column keeps to it by several lines, below its row where there is no room beside it. Each row is one
 *   line unless it is given
 */
export function table<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  paint: Paint,
  width?: number,
): string {
  const cells = rows.map((row) => columns.map((column) => printable(String(column.value(row) ?? ''))))
  const widths = columns.map(({ title }, at) =>
    Math.max(displayWidth(title), ...cells.map((line) => displayWidth(line[at]!))),
  )
  const line = (texts: string[], style: (at: number) => Style | undefined) =>
    texts
      .map((text, at) => {
        const gap = ' '.repeat(widths[at]! - displayWidth(text))
        const styled = style(at) ? paint(style(at)!, text) : text
        if (columns[at]!.right) return gap + styled
        return at === texts.length - 1 ? styled : styled + gap
      })
      .join('  ')
      .trimEnd()
  const head = line(
    columns.map(({ title }) => title),
    () => 'dim',
  )
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0)
  const isBeside = width === undefined || width - before >= NARROWEST_LAST
  const indent = isBeside ? before : 2
  const linesOf = (texts: string[], row: R): string[] => {
    const style = (at: number) => columns[at]!.style?.(row)
    if (width === undefined) return [line(texts, style)]
    const last = texts.at(-1)!
    const styled = (text: string) => (style(texts.length - 1) ? paint(style(texts.length - 1)!, text) : text)
    const [first = '', ...more] = wrap(last, Math.max(width - indent, NARROWEST_LAST))
    const others = texts.slice(0, -1)
    const below = (isBeside ? more : [first, ...more]).map((text) => ' '.repeat(indent) + styled(text))
    return [line([...others, ...(isBeside ? [first] : [])], style), ...below]
  }
  const body = rows.flatMap((row, index) => linesOf(cells[index]!, row))
  return [head, ...body].map((text) => `${text}\n`).join('')
}
