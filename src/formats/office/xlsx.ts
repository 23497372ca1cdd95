import type { DocumentPart } from '../../contract/document.ts'
import type { FileLimits } from '../limits.ts'
import { OfficePackage } from './office-package.ts'
import type { FormatReader } from '../reader.ts'
import { type SheetComments, SheetDocuments } from '../sheet-documents.ts'
import { readNumberFormats } from './xlsx-formats.ts'
import { readPeople, readSheetComments } from './xlsx-comments.ts'
import { readFloatingTexts, type SheetPart } from './xlsx-drawings.ts'
import { type Workbook, readSheetRows } from './xlsx-rows.ts'
import { readSharedStrings } from './xlsx-strings.ts'
import { prefixedAttribute } from '../xml.ts'

/**
 * Reads an Excel workbook: a document per row, with a line `- header: value` for each cell that is not blank. The
 * rows above the header are one document; a row that repeats it is left out; a sheet of one row has no header.
 * Columns without a header are called by their letters. Comments are below the cells of their row. Text boxes and the
 * titles of charts are documents after the rows.
 *
 * Metadata: `worksheet`, `rowNum` (from 1, as Excel shows it), `tableTitle` if there are rows above the header, and a
 * key for each cell, up to a number of bytes: numbers and booleans as such, dates as text. Hidden sheets are left out
 * with a note, because their author does not show them. Hidden rows and columns, mostly the result of a filter, are
 * read.
 */
export const readXlsx: FormatReader = function* (file, _options, limits) {
  const source = new OfficePackage(file, limits)
  const { sheets, book } = readWorkbook(source, limits)
  for (const sheet of sheets) yield* sheetDocuments(source, sheet, book, limits)
  yield* source.report()
}

type Sheet = SheetPart & { comments: SheetComments }

function readWorkbook(source: OfficePackage, limits: FileLimits): { sheets: Sheet[]; book: Workbook } {
  const main = source.mainPart('xl/workbook.xml')
  const relationships = source.relationships(main)
  const people = readPeople(source, main)
  const sheets = new Map<string, Sheet>()
  let epoch1904 = false
  let isWorkbook = false
  source.readMain(main, {
    workbook: { open: () => (isWorkbook = true) },
    workbookPr: { open: ({ date1904 = '' }) => (epoch1904 = /^(1|true)$/.test(date1904)) },
    sheet: {
      open(attributes) {
        const { name = '', state = 'visible' } = attributes
        const { type, target = '' } = relationships.get(prefixedAttribute(attributes, 'id') ?? '') ?? {}
        if (state !== 'visible') {
          source.note(`sheet ${name} is hidden and was skipped`)
          source.drop('hiddenSheet', { sheet: name })
        } else if (type !== 'worksheet' || !source.has(target)) {
          source.note(`sheet ${name} holds no cells`)
          source.drop(type === 'chartsheet' ? 'picture' : 'damagedPart', { sheet: name })
        } else if (!sheets.has(target)) {
          sheets.set(target, { name, part: target, comments: readSheetComments(source, target, people) })
        }
      },
    },
  })
  if (!isWorkbook) source.unreadable('it is not an Excel workbook')

  let cells = 0
  return {
    sheets: [...sheets.values()],
    book: {
      strings: readSharedStrings(source, source.related(main, 'sharedStrings')[0], limits),
      formats: readNumberFormats(source, source.related(main, 'styles')[0], epoch1904),
      countCells(count) {
        cells += count
        if (cells > limits.cells) source.overLimit(`it holds more than ${limits.cells} cells`)
      },
    },
  }
}

function* sheetDocuments(
  source: OfficePackage,
  sheet: Sheet,
  book: Workbook,
  limits: FileLimits,
): Generator<DocumentPart> {
  const documents = new SheetDocuments(source, sheet, limits)
  for (const row of readSheetRows(source, sheet.part, book)) yield* documents.push(row)
  yield* documents.end(readFloatingTexts(source, sheet))
}
