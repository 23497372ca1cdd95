/** A table as markdown; its first row becomes the header. Short rows stay short: padding them could cost any memory. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [header = [], ...body] = rows
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
  const padded = [...header, ...Array<string>(width - header.length).fill('')]
  return [line(padded), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n')
}

/** A text on one line, with the breaks in it as spaces. */
export function oneLine(text: string): string {
  if (!text.includes('\n')) return text.trim()
  const lines = text.split('\n').map((part) => part.trim())
  return lines.filter((part) => part !== '').join(' ')
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`
