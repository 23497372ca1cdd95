import type { DocumentPart } from '../contract/document.ts'
import type { Limits } from './limits.ts'
import { oneLine } from './markdown-table.ts'
import { OfficePackage } from './office-package.ts'
import type { FormatReader } from './reader.ts'
import { columnLetters, type Row } from './xlsx-cell.ts'
import { readNumberFormats } from './xlsx-formats.ts'
import { type Comments, readPeople, readSheetComments } from './xlsx-comments.ts'
import { type Book, readRows } from './xlsx-rows.ts'
import { readSharedStrings } from './xlsx-strings.ts'
import { prefixedAttribute } from './xml.ts'

/**
 * Reads an Excel workbook: a document per row, with a line `- header: value` for each cell that is not blank. The
 * first row of a sheet that is not blank is its header; a sheet of one row has none. Columns without a header go by
 * their letters. Comments stand under the cells of their row.
 *
 * Metadata: `worksheet`, `rowNum` (from 1, as Excel shows it), and a key for each cell: numbers and booleans as such,
 * dates as text. Hidden sheets are left out and noted.
 */
export const readXlsx: FormatReader = function* (file, _options, limits) {
  const source = new OfficePackage(file, limits)
  const { sheets, book } = readWorkbook(source, limits)
  for (const sheet of sheets) yield* sheetDocuments(source, sheet, book)
  yield* source.notes
}

type Sheet = { name: string; part: string; comments: Comments }

function readWorkbook(source: OfficePackage, limits: Limits): { sheets: Sheet[]; book: Book } {
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
        if (state !== 'visible') source.note(`sheet ${name} is hidden and was skipped`)
        else if (type !== 'worksheet' || !source.has(target)) source.note(`sheet ${name} holds no cells`)
        else if (!sheets.has(target)) {
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

function* sheetDocuments(source: OfficePackage, sheet: Sheet, book: Book): Generator<DocumentPart> {
  let first: Row | undefined
  let names: ColumnNames | undefined
  for (const row of readRows(source, sheet.part, book)) {
    names ??= first && columnNames(first)
    if (names) yield rowDocument(source, sheet, row, names)
    else first = row
  }
  if (first && !names) yield rowDocument(source, sheet, first, columnNames())
  for (const number of sheet.comments.keys()) {
    yield rowDocument(source, sheet, { number, cells: [] }, columnNames())
  }
}

type ColumnNames = (column: number) => string

/** The header of each column; the second `Name` becomes `Name_1`, so that no value hides another. */
function columnNames(header?: Row): ColumnNames {
  const names = new Map<number, string>()
  const taken = new Set<string>()
  const repeats = new Map<string, number>()
  const assign = (column: number, wanted: string): string => {
    let name = wanted
    let repeat = repeats.get(wanted) ?? 0
    while (taken.has(name)) name = `${wanted}_${++repeat}`
    repeats.set(wanted, repeat)
    taken.add(name)
    names.set(column, name)
    return name
  }
  for (const { column, text } of header?.cells ?? []) assign(column, oneLine(text))
  return (column) => names.get(column) ?? assign(column, columnLetters(column))
}

function rowDocument(source: OfficePackage, sheet: Sheet, row: Row, names: ColumnNames): DocumentPart {
  const cells = row.cells.map(({ column, ...cell }) => ({ ...cell, name: names(column) }))
  for (const { name, text } of cells) source.spend(name.length + text.length + 5)
  const comments = sheet.comments.get(row.number) ?? []
  sheet.comments.delete(row.number)
  return {
    pageContent: [...cells.map(({ name, text }) => `- ${name}: ${text}`), ...comments].join('\n'),
    // not assigned one by one: a column may be called __proto__
    metadata: Object.fromEntries([
      ...cells.map(({ name, value }) => [name, value] as const),
      ['worksheet', sheet.name],
      ['rowNum', row.number],
    ]),
    last: true,
  }
}
