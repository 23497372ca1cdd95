/** A cell of a table that is not blank: its column from 0, and its text. */
export type TableCell = { readonly column: number; readonly text: string }

/** A row of a table without its blank cells, in the order of the columns. */
export type TableRow = { readonly cells: readonly TableCell[] }

/** How many of the first rows are titles, and whether the row after them is the header. */
export type LeadingRows = { titles: number; hasHeader: boolean }

/**
 * Finds the header among the first rows of a table, which are given without blank rows.
 *
 * Usually it is the first row. A lower row is the header if all rows above it fill at most half as many columns, most
 * rows below it are not titles, and it contains no number; the rows above it are then titles. A table that begins
 * with rows of numbers only, or has a single row, has no header.
 */
export function findHeader(rows: readonly TableRow[]): LeadingRows {
  if (rows.length < 2) return { titles: 0, hasHeader: false }
  const titles = titleCount(rows)
  if (titles > 0 && isHeader(rows, titles)) return { titles, hasHeader: true }
  return { titles: 0, hasHeader: !isHeaderless(rows) }
}

/** Whether a row has exactly the cells of the header: a header that is repeated on each page. */
export function repeatsHeader(row: TableRow, header: TableRow): boolean {
  return (
    row.cells.length === header.cells.length &&
    row.cells.every(({ column, text }, index) => {
      const other = header.cells[index]!
      return column === other.column && text === other.text
    }) &&
    new Set(header.cells.map(({ text }) => text)).size > 1
  )
}

/**
 * The rows above a table as text: a line for each, its cells separated by a bar. Consecutive equal lines are kept
 * once.
 */
export function titleText(rows: readonly TableRow[]): string {
  const lines = rows.map(({ cells }) => cells.map(({ text }) => text.trim()).join(' | '))
  return lines.filter((line, index) => line !== lines[index - 1]).join('\n')
}

/** The first characters of {@link titleText}, for metadata; empty if there are no titles. */
export const shortTitle = (rows: readonly TableRow[]): string => titleText(rows).slice(0, LONGEST_TITLE)

const LONGEST_TITLE = 200

/**
 * The number of title rows: those above the last row that is at least twice as wide as every row above it; 0 if there
 * is none.
 */
function titleCount(rows: readonly TableRow[]): number {
  let widest = rows[0]!.cells.length
  let count = 0
  for (const [index, { cells }] of rows.entries()) {
    const width = cells.length
    if (width >= 2 * widest && index < rows.length - 1) {
      const least = Math.max(2, TABLE_SHARE * width)
      const below = rows.slice(index + 1)
      if (below.filter((row) => row.cells.length >= least).length * 2 >= below.length) count = index
    }
    widest = Math.max(widest, width)
  }
  return count
}

/** A row below a header fills at least this share of its columns, unless it is a title too. */
const TABLE_SHARE = 0.3

/** Whether a row below titles is a header: texts only, or texts and dates if the next row has other kinds. */
function isHeader(rows: readonly TableRow[], index: number): boolean {
  const next = rows[index + 1]
  if (!next) return false
  const kinds = kindsOf(rows[index]!)
  const named = [...kinds.values()]
  if (named.includes('number') || !named.includes('text')) return false
  const below = kindsOf(next)
  return !named.includes('date') || [...kinds].some(([column, kind]) => below.get(column) !== kind)
}

/** Whether the first rows are numbers and dates only, each column of one kind. Dates alone may be a header: years. */
function isHeaderless(rows: readonly TableRow[]): boolean {
  const [first, ...others] = rows.slice(0, 3).map(kindsOf)
  const kinds = [...first!]
  return (
    others.length === 2 &&
    others.every((row) => row.size * 2 >= kinds.length) &&
    kinds.some(([, kind]) => kind === 'number') &&
    kinds.every(
      ([column, kind]) => kind !== 'text' && others.every((row) => (row.get(column) ?? kind) === kind),
    )
  )
}

type Kind = 'text' | 'number' | 'date'

const kindsOf = ({ cells }: TableRow): Map<number, Kind> =>
  new Map(cells.map(({ column, text }) => [column, kindOf(text.trim())]))

function kindOf(text: string): Kind {
  if (text.length > LONGEST_VALUE) return 'text'
  if (DATE.test(text)) return 'date'
  return NUMBER.test(text) ? 'number' : 'text'
}

const LONGEST_VALUE = 40
/** A year alone, a month of a year, a day, with or without a time. */
const DATE = /^(?:(?:19|20)\d\d|\d{4}[-/.]\d\d?|\d{1,4}([-/.])\d{1,2}\1\d{1,4})(?:[ T]\d[\d:.+Z-]*)?$/
/** With a sign, a currency, a percent sign, or brackets for a negative one. */
const NUMBER = /^[-+(]?\p{Sc}? ?[-+]?(?:\d[\d.,' \u00a0]*|\.\d+)(?:e[-+]?\d+)?\s?[%\p{Sc}]?\)?$/iu
