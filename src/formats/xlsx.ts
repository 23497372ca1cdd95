import type { DocumentPart } from '../contract/document.ts'
import type { FileLimits } from './limits.ts'
import { oneLine } from './markdown-table.ts'
import { OfficePackage } from './office-package.ts'
import type { FormatReader } from './reader.ts'
import { shortTitle, titleText } from './table-header.ts'
import { TableStart } from './table-start.ts'
import { type SheetCell, columnLetters, type SheetRow } from './xlsx-cell.ts'
import { readNumberFormats } from './xlsx-formats.ts'
import { type SheetComments, readPeople, readSheetComments } from './xlsx-comments.ts'
import { readFloatingTexts, type SheetPart } from './xlsx-drawings.ts'
import { type Workbook, readSheetRows } from './xlsx-rows.ts'
import { readSharedStrings } from './xlsx-strings.ts'
import { prefixedAttribute } from './xml.ts'

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
  const table = new TableStart<SheetRow>()
  let documentOf: ((row: SheetRow) => DocumentPart) | undefined
  function* documentsOf(rows: readonly SheetRow[]): Generator<DocumentPart> {
    if (rows.length > 0 && !documentOf) {
      const names = columnNames(table.header)
      const title = shortTitle(table.titles)
      if (title !== '') yield titleDocument(source, sheet, table.titles)
      documentOf = (row) => rowDocument(source, sheet, row, names, title, limits)
    }
    for (const row of rows) yield documentOf!(row)
  }

  for (const row of readSheetRows(source, sheet.part, book)) yield* documentsOf(table.push(row))
  yield* documentsOf(table.end())
  source.drop('repeatedLine', { sheet: sheet.name }, table.repeated)
  // a header without rows is the only content of the sheet
  if (!documentOf && table.header) yield rowDocument(source, sheet, table.header, columnNames(), '', limits)
  for (const number of sheet.comments.keys()) {
    yield rowDocument(source, sheet, { number, cells: [] }, columnNames(), '', limits)
  }
  for (const { text, row } of readFloatingTexts(source, sheet)) {
    const place = row === undefined ? {} : { rowNum: row }
    yield { pageContent: text, metadata: { worksheet: sheet.name, ...place }, last: true }
  }
}

/** The rows above the header of a sheet, as one document. */
function titleDocument(source: OfficePackage, sheet: Sheet, titles: readonly SheetRow[]): DocumentPart {
  const pageContent = titleText(titles)
  source.countText(pageContent.length)
  return {
    pageContent,
    metadata: { worksheet: sheet.name, rowNum: titles[0]!.number },
    last: true,
  }
}

type ColumnNames = (column: number) => string

/** The name of each column; a second `Name` becomes `Name_1`, so that no value hides another. */
function columnNames(header?: SheetRow): ColumnNames {
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

function rowDocument(
  source: OfficePackage,
  sheet: Sheet,
  row: SheetRow,
  names: ColumnNames,
  tableTitle: string,
  limits: FileLimits,
): DocumentPart {
  const cells = row.cells.map(({ column, ...cell }) => ({ ...cell, name: names(column) }))
  for (const { name, text } of cells) source.countText(name.length + text.length + 5)
  const comments = sheet.comments.get(row.number) ?? []
  sheet.comments.delete(row.number)
  return {
    pageContent: [...cells.map(({ name, text }) => `- ${name}: ${text}`), ...comments].join('\n'),
    // fromEntries, because a column may be called __proto__
    metadata: Object.fromEntries([
      ...boundedEntries(source, sheet, cells, limits.rowMetadataBytes),
      ...(tableTitle === '' ? [] : [['tableTitle', tableTitle] as const]),
      ['worksheet', sheet.name],
      ['rowNum', row.number],
    ]),
    last: true,
  }
}

type NamedCell = { name: string; value: SheetCell['value'] }

/** The cells of a row as metadata, up to `maxBytes`; long values are left out first. */
function boundedEntries(
  source: OfficePackage,
  sheet: Sheet,
  cells: readonly NamedCell[],
  maxBytes: number,
): (readonly [string, SheetCell['value']])[] {
  let left = maxBytes
  const kept = cells.filter(({ name, value }) => {
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(String(value)) + 6
    if (bytes > Math.min(left, maxBytes / 4)) return false
    left -= bytes
    return true
  })
  if (kept.length < cells.length) {
    source.note(`sheet ${sheet.name} has long rows: their text is complete, their metadata lack some cells`)
    source.drop('cutMetadata', { sheet: sheet.name }, cells.length - kept.length)
  }
  return kept.map(({ name, value }) => [name, value] as const)
}
