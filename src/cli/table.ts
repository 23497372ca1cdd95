import type { Paint, Style } from './paint.ts'
import { displayWidth, printable } from './printable.ts'

export type Column<R> = {
  title: string
  value(row: R): string | number | undefined
  /** Aligns the column to the right, for numbers. */
  right?: true
  style?(row: R): Style | undefined
}

/** Rows under titles, in aligned columns; every line ends in a line feed. */
export function table<R>(rows: readonly R[], columns: readonly Column<R>[], paint: Paint): string {
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
  const body = rows.map((row, index) => line(cells[index]!, (at) => columns[at]!.style?.(row)))
  return [head, ...body].map((text) => `${text}\n`).join('')
}
