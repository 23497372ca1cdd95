import Papa from 'papaparse'
import { SluiceError } from '../kit/errors.ts'
import type { FileLimits } from './limits.ts'
import { type NumberedDocument, numberDocuments } from './numbered.ts'
import type { StreamFile, StreamReader } from './reader.ts'
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
import { UndecodedCharacters } from './undecoded.ts'

/**
 * Reads a table as text. The header names the columns; each row below it becomes a document with a line `column:
 * value` per cell, or only the value of `columnName` if that is given. Blank cells are left out. A column without a
 * name is called by its index: `_3`. The rows above the header become one document, and the metadata `tableTitle` of
 * each row. A row that repeats the header is left out. The delimiter is guessed; values are trimmed. Metadata `line`
 * is the number of the row below the header, from 1.
 *
 * @throws SluiceError `file_unreadable` if the column does not exist, `file_over_limit` if a row does not end
 */
export const readCsv: StreamReader = async function* (file, options, limits) {
  const { columnName } = options
  const table = new TableStart<TableRow>(
    columnName === undefined ? usualHeader : (rows) => headerWith(rows, columnName, file.name),
  )
  const lost = new UndecodedCharacters()
  const rows = dataRows(rowsOf(file, limits, lost), table)
  try {
    const first = await rows.next()
    const title = titleText(table.titles)
    if (columnName === undefined && title !== '') yield { pageContent: title, metadata: {}, last: true }
    if (!first.done) yield* numberDocuments(documents(first.value, rows, table, columnName))
    else if (table.header) yield { note: 'it has a header and no rows below it' }
    if (table.repeated > 0) yield { dropped: { kind: 'repeatedLine', count: table.repeated } }
    yield* lost.report()
  } finally {
    await rows.return(undefined)
  }
}

/** The rows below the header in batches. `table.titles` and `table.header` are set before the first batch. */
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

/** Finds the header; a table of a single row is always a header. */
const usualHeader = (rows: readonly TableRow[]): LeadingRows =>
  rows.length === 1 ? { titles: 0, hasHeader: true } : findHeader(rows)

/** The header is the first row that names the wanted column. */
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
 * The rows of a file, read in pieces. Each piece is parsed up to its last complete row. The rest is kept for the next
 * piece and parsed again only when the text is twice as long, so that the time stays linear for a row of many pieces.
 */
async function* rowsOf(
  file: StreamFile,
  limits: FileLimits,
  lost: UndecodedCharacters,
): AsyncGenerator<string[][]> {
  let parser: Papa.Parser | undefined
  let text = ''
  let minLength = 0
  for await (const piece of textPieces(file, lost)) {
    text += piece
    if (text.length < minLength && text.length <= limits.lineLength) continue
    parser ??= parserFor(text)
    const { data, meta } = parser.parse(text, 0, true) as Papa.ParseResult<string[]>
    if (data.length > 0) yield data
    text = text.slice(meta.cursor)
    if (text.length > limits.lineLength) throw endlessRow(file.name)
    minLength = 2 * text.length
  }
  if (parser && text !== '') yield (parser.parse(text, 0, false) as Papa.ParseResult<string[]>).data
}

const endlessRow = (file: string): SluiceError =>
  new SluiceError('file_over_limit', { file, reason: 'a row or a quoted field does not end' })

/** A parser for the delimiter and the line ends that the beginning of the file uses. */
function parserFor(beginning: string): Papa.Parser {
  const { meta } = guess(beginning)
  const newline = meta.linebreak as '\r' | '\n' | '\r\n'
  return new Papa.Parser({ delimiter: delimiterOf(beginning, newline), newline })
}

/**
 * Title lines have no delimiter: if none is found from the first line on, the search starts again at the next lines.
 */
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

/** The most lines without a delimiter above a table. */
const TITLE_LINES = 10
