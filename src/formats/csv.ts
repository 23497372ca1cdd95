import Papa from 'papaparse'
import { SluiceError } from '../kit/errors.ts'
import type { FileLimits } from './limits.ts'
import { type NumberedDocument, numberDocuments } from './numbered.ts'
import type { StreamReader } from './reader.ts'
import {
  type LeadingRows,
  findHeader,
  shortTitle,
  type TableCell,
  type TableRow,
  titleText,
} from './table-header.ts'
import { TableStart } from './table-start.ts'
import { textPieces } from './text.ts'

/**
 * A table as text: the header names the columns, each row below it is a document of lines `column: value`, or of one
 * column's value where `columnName` is given. Blank cells are left out, columns without a name go by their place.
 * Rows above the header are one document, and metadata `tableTitle` of each row. A row that repeats the header is left
 * out. The delimiter is guessed. Values are trimmed. Metadata `line` counts the rows below the header from 1.
 *
 * @throws SluiceError `file_unreadable` for a column that is not there, `file_over_limit` for a row without an end
 */
export const readCsv: StreamReader = async function* (file, options, limits) {
  const { columnName } = options
  const table = new TableStart<TableRow>(
    columnName === undefined ? usualHeader : (rows) => headerWith(rows, columnName, file.name),
  )
  const rows = dataRows(rowsOf(file, limits), table)
  try {
    const first = await rows.next()
    const title = titleText(table.titles)
    if (columnName === undefined && title !== '') yield { pageContent: title, metadata: {}, last: true }
    if (!first.done) yield* numberDocuments(documents(first.value, rows, table, columnName))
    else if (table.header) yield { note: 'it has a header and no rows below it' }
  } finally {
    await rows.return(undefined)
  }
}

/** The rows below the header, some at a time. Before the first of them come titles and header are known. */
async function* dataRows(
  rows: AsyncIterable<string[][]>,
  table: TableStart<TableRow>,
): AsyncGenerator<TableRow[], undefined> {
  for await (const some of rows) {
    const data = some.flatMap((values) => {
      const cells = cellsOf(values)
      return cells.length > 0 ? table.push({ cells }) : []
    })
    if (data.length > 0) yield data
  }
  const data = table.end()
  if (data.length > 0) yield data
}

function cellsOf(values: readonly string[]): TableCell[] {
  const cells: TableCell[] = []
  for (const [column, value] of values.entries()) {
    const text = value.trim()
    if (text !== '') cells.push({ column, text })
  }
  return cells
}

async function* documents(
  first: TableRow[],
  others: AsyncIterable<TableRow[]>,
  { header, titles }: TableStart<TableRow>,
  columnName: string | undefined,
): AsyncGenerator<NumberedDocument> {
  const names = new Map(header?.cells.map(({ column, text }) => [column, text]))
  const wanted = header?.cells.find(({ text }) => text === columnName)?.column
  const title = shortTitle(titles)
  const metadata = title === '' ? {} : { metadata: { tableTitle: title } }
  let line = 0

  function* documentsOf(rows: TableRow[]): Generator<NumberedDocument> {
    for (const { cells } of rows) {
      line++
      const pageContent =
        columnName === undefined
          ? cells.map(({ column, text }) => `${names.get(column) ?? `_${column}`}: ${text}`).join('\n')
          : (cells.find(({ column }) => column === wanted)?.text ?? '')
      if (pageContent !== '') yield { line, pageContent, ...metadata }
    }
  }

  yield* documentsOf(first)
  for await (const rows of others) yield* documentsOf(rows)
}

/** The header of a table; a row that stands alone is one, whatever it says. */
const usualHeader = (rows: readonly TableRow[]): LeadingRows =>
  rows.length === 1 ? { titles: 0, hasHeader: true } : findHeader(rows)

/** The first row that names the wanted column. */
function headerWith(rows: readonly TableRow[], wanted: string, file: string): LeadingRows {
  const found = rows.findIndex(({ cells }) => cells.some(({ text }) => text === wanted))
  if (found >= 0) return { titles: found, hasHeader: true }
  if (rows.length === 0) return { titles: 0, hasHeader: false }
  const { titles, hasHeader } = usualHeader(rows)
  const columns = rows[titles]!.cells.map(({ column, text }) => (hasHeader ? text : `_${column}`))
  const shown = columns.slice(0, 20).join(', ')
  const more = columns.length > 20 ? ` and ${columns.length - 20} more` : ''
  const reason = `it has no column ${wanted}; its columns are ${shown}${more}`
  throw new SluiceError('file_unreadable', { file, reason })
}

/**
 * The rows of a file, read piece by piece. The piece at hand is parsed up to its last complete row; the rest waits
 * for the next piece, and is parsed again only once it is twice as long, so that a long row costs no more than others.
 */
async function* rowsOf(file: { path: string; name: string }, limits: FileLimits): AsyncGenerator<string[][]> {
  let parser: Papa.Parser | undefined
  let text = ''
  let wanted = 0
  for await (const piece of textPieces(file.path)) {
    text += piece
    if (text.length < wanted && text.length <= limits.lineLength) continue
    parser ??= parserFor(text)
    const { data, meta } = parser.parse(text, 0, true) as Papa.ParseResult<string[]>
    if (data.length > 0) yield data
    text = text.slice(meta.cursor)
    if (text.length > limits.lineLength) throw endlessRow(file.name)
    wanted = 2 * text.length
  }
  if (parser && text !== '') yield (parser.parse(text, 0, false) as Papa.ParseResult<string[]>).data
}

const endlessRow = (file: string): SluiceError =>
  new SluiceError('file_over_limit', { file, reason: 'a row of it, or a quoted field in it, does not end' })

/** A parser for the delimiter and line ends that the beginning of the file shows. */
function parserFor(beginning: string): Papa.Parser {
  const { meta } = guess(beginning)
  const newline = meta.linebreak as '\r' | '\n' | '\r\n'
  return new Papa.Parser({ delimiter: delimiterOf(beginning, newline), newline })
}

/** Titles hold no delimiter: where the first lines show none, the lines after them may. */
function delimiterOf(beginning: string, newline: string): string {
  let from = 0
  for (let line = 0; line < TITLE_LINES; line++) {
    const { meta, errors } = guess(beginning.slice(from))
    if (!errors.some(({ code }) => code === 'UndetectableDelimiter')) return meta.delimiter
    const end = beginning.indexOf(newline, from)
    if (end < 0) break
    from = end + newline.length
  }
  return ','
}

const guess = (text: string) => Papa.parse<string[]>(text, { preview: 20, skipEmptyLines: true })

/** How many lines without a delimiter may stand above a table. */
const TITLE_LINES = 10
