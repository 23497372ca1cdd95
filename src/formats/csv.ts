import Papa from 'papaparse'
import { SluiceError } from '../kit/errors.ts'
import type { Limits } from './limits.ts'
import { numbered } from './numbered.ts'
import type { StreamReader } from './reader.ts'
import { textPieces } from './text.ts'

/**
 * A table as text: the first row names the columns, each other row is a document of lines `column: value`, or of
 * one column's value where `columnName` is given. The delimiter is guessed. Values are trimmed, missing ones empty;
 * rows without any value are passed over. Metadata `line` counts the rows from 1.
 *
 * @throws SluiceError `file_unreadable` for a column that is not there, `file_over_limit` for an endless row
 */
export const readCsv: StreamReader = (file, options, limits) =>
  numbered(documents(rowsOf(file, limits), file.name, options.columnName))

async function* documents(
  rows: AsyncIterable<string[]>,
  file: string,
  columnName: string | undefined,
): AsyncGenerator<{ line: number; pageContent: string }> {
  let columns: string[] | undefined
  let line = 0
  for await (const row of rows) {
    const values = row.map((value) => value.trim())
    if (values.every((value) => value === '')) continue
    if (columns === undefined) {
      columns = values.map((name, index) => name || `_${index}`)
      if (columnName !== undefined) requireColumn(file, columns, columnName)
      continue
    }
    line++
    const pageContent =
      columnName === undefined ? linesOf(columns, values) : (values[columns.indexOf(columnName)] ?? '')
    if (pageContent !== '') yield { line, pageContent }
  }
}

/** A line per column; a value beyond the last named one has its place for a name, so that none is lost. */
function linesOf(columns: string[], values: string[]): string {
  const named = columns.map((name, index) => `${name}: ${values[index] ?? ''}`)
  const beyond = values.flatMap((value, index) =>
    index >= columns.length && value !== '' ? `_${index}: ${value}` : [],
  )
  return [...named, ...beyond].join('\n')
}

function requireColumn(file: string, columns: string[], wanted: string): void {
  if (columns.includes(wanted)) return
  const shown = columns.slice(0, 20).join(', ')
  const more = columns.length > 20 ? ` and ${columns.length - 20} more` : ''
  const reason = `it has no column ${wanted}; its columns are ${shown}${more}`
  throw new SluiceError('file_unreadable', { file, reason })
}

/**
 * The rows of a file, read piece by piece. The piece at hand is parsed up to its last complete row; the rest waits
 * for the next piece.
 */
async function* rowsOf(file: { path: string; name: string }, limits: Limits): AsyncGenerator<string[]> {
  let parser: Papa.Parser | undefined
  let text = ''
  for await (const piece of textPieces(file.path)) {
    text += piece
    parser ??= parserFor(text)
    const { data, meta } = parser.parse(text, 0, true) as Papa.ParseResult<string[]>
    yield* data
    text = text.slice(meta.cursor)
    if (text.length > limits.lineLength) {
      throw new SluiceError('file_over_limit', {
        file: file.name,
        reason: 'a quoted field of it does not end',
      })
    }
  }
  if (parser && text !== '') yield* (parser.parse(text, 0, false) as Papa.ParseResult<string[]>).data
}

/** A parser for the delimiter and line ends that the beginning of the file shows. */
function parserFor(beginning: string): Papa.Parser {
  const { meta } = Papa.parse<string[]>(beginning, { preview: 20, skipEmptyLines: true })
  const newline = meta.linebreak as '\r' | '\n' | '\r\n'
  return new Papa.Parser({ delimiter: meta.delimiter, newline })
}
