import { Extraction } from '../extraction.ts'
import { openOldOffice } from './old-office.ts'
import type { FormatReader } from '../reader.ts'
import { SheetDocuments } from '../sheet-documents.ts'
import { readXlsBook } from './xls-book.ts'
import { readXlsSheet } from './xls-sheet.ts'

/**
 * Reads a workbook of Excel 5 to 2003 (MS-XLS): a document per row, in the form and with the metadata of newer
 * workbooks; see {@link readXlsx}. Hidden sheets are left out with a note.
 */
export const readXls: FormatReader = function* (file, _options, limits) {
  const source = new Extraction(file, limits)
  const compound = openOldOffice(file, source, STREAMS)
  const stream = compound.stream('Workbook') ?? compound.stream('Book')
  if (!stream) return source.unreadable('it is not an Excel workbook')
  const book = readXlsBook(stream, source)
  let cellsLeft = limits.cells
  const countCells = (count: number) => {
    cellsLeft -= count
    if (cellsLeft < 0) source.overLimit(`it holds more than ${limits.cells} cells`)
  }
  for (const sheet of book.sheets) {
    const { name } = sheet
    if (sheet.isHidden) {
      source.note(`sheet ${name} is hidden and was skipped`)
      source.drop('hiddenSheet', { sheet: name })
    } else if (!sheet.hasCells) source.note(`sheet ${name} holds no cells`)
    else {
      const { rows, comments, floating } = readXlsSheet(stream, sheet, book, source, countCells)
      const documents = new SheetDocuments(source, { name, comments }, limits)
      for (const row of rows) yield* documents.push(row)
      yield* documents.end(floating)
    }
  }
  yield* source.report()
}

const STREAMS = ['Workbook', 'Book']
