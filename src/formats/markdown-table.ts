/**
 * A table as markdown; its first row becomes the header. Other rows are not padded: one long row would lengthen all.
 */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [header = [], ...body] = rows
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
  const padded = [...header, ...Array<string>(width - header.length).fill('')]
  return [line(padded), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n')
}

/** A text on one line: line breaks become spaces. */
export function oneLine(text: string): string {
  if (!text.includes('\n')) return text.trim()
  const lines = text.split('\n').map((part) => part.trim())
  return lines.filter((part) => part !== '').join(' ')
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`
