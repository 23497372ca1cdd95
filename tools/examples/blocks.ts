/** A document as a row of blocks. Texts may hold `**bold**` and `[^1]`, a mark that points to a footnote. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'footnote'; mark: string; text: string }
  | { kind: 'notes'; text: string }

/** Reads the small part of Markdown in which the sources of the sample documents are written. */
export function readBlocks(markdown: string): Block[] {
  return markdown
    .trim()
    .split(/\n\s*\n|\n(?=\[\^)/)
    .map((text) => readBlock(text.split('\n')))
}

function readBlock(lines: string[]): Block {
  const first = lines[0]!
  const heading = /^(#+) (.*)/.exec(first)
  if (heading) return { kind: 'heading', level: heading[1]!.length, text: heading[2]! }
  const footnote = /^\[\^(\w+)\]: (.*)/.exec(first)
  if (footnote) return { kind: 'footnote', mark: footnote[1]!, text: footnote[2]! }
  if (first.startsWith('> ')) return { kind: 'notes', text: lines.map((line) => line.slice(2)).join(' ') }
  if (first.startsWith('|')) return { kind: 'table', rows: lines.filter(isRow).map(cellsOf) }
  if (/^(- |\d+\. )/.test(first))
    return {
      kind: 'list',
      ordered: first[0] !== '-',
      items: lines.map((line) => line.replace(/^(- |\d+\. )/, '')),
    }
  return { kind: 'paragraph', text: lines.join(' ') }
}

const isRow = (line: string) => !/^\|[-| ]+$/.test(line)

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** A stretch of a text that looks the same throughout, or the mark of a footnote. */
export type Span = { text: string; bold: boolean } | { mark: string }

/** Divides a text at `**` and at footnote marks. */
export function spansOf(text: string): Span[] {
  let bold = false
  return text.split(/(\*\*|\[\^\w+\])/).flatMap((part): Span[] => {
    if (part === '**') bold = !bold
    if (part === '**' || part === '') return []
    const mark = /^\[\^(\w+)\]$/.exec(part)
    return [mark ? { mark: mark[1]! } : { text: part, bold }]
  })
}

/** What a document says of itself. */
export type About = { title: string; author: string; subject: string; created: Date }
