import type { DocumentPart } from '../contract/document.ts'
import type { Extraction } from './extraction.ts'
import type { FileLimits } from './limits.ts'
import { oneLine } from './markdown-table.ts'
import { shortTitle, titleText } from './table-header.ts'
import { TableStart } from './table-start.ts'
import { type SheetCell, columnLetters, type SheetRow } from './office/xlsx-cell.ts'

/** Comments as lines, by the number of their row. */
export type SheetComments = Map<number, string[]>

/** A text above the cells of a sheet, and the row, from 1, where it is anchored, if any. */
export type FloatingText = { text: string; row: number | undefined }

/** A sheet whose rows are read. Comments may be added until their row is pushed. */
export type OpenSheet = { name: string; comments: SheetComments }

/** The line of a comment below the cells of its row. */
export const commentLine = (cell: string, by: string | undefined, text: string): string =>
  `- Comment on ${cell}${by ? ` by ${by}` : ''}: ${text.replace(THREAD_HINT, '')}`

/** What Excel tells older programs in a comment that is a conversation. */
const THREAD_HINT = /^\[Threaded comment\][\s\S]*?\nComment:\s*/

/**
 * The documents of a sheet of any workbook, whose rows are pushed from top to bottom: one for each row, with a line
 * `- header: value` for each cell that is not blank; first one for the rows above the header.
 */
export class SheetDocuments {
  readonly #source: Extraction
  readonly #sheet: OpenSheet
  readonly #limits: FileLimits
  readonly #table = new TableStart<SheetRow>()
  #documentOf: ((row: SheetRow) => DocumentPart) | undefined

  constructor(source: Extraction, sheet: OpenSheet, limits: FileLimits) {
    this.#source = source
    this.#sheet = sheet
    this.#limits = limits
  }

  /** The documents that are known after this row. */
  push(row: SheetRow): Generator<DocumentPart> {
    return this.#documents(this.#table.push(row))
  }

  /** The other documents, called after the last row. */
  *end(floating: readonly FloatingText[]): Generator<DocumentPart> {
    const [source, sheet, limits] = [this.#source, this.#sheet, this.#limits]
    yield* this.#documents(this.#table.end())
    source.drop('repeatedLine', { sheet: sheet.name }, this.#table.repeated)
    // a header without rows is the only content of the sheet
    const { header } = this.#table
    if (!this.#documentOf && header) yield rowDocument(source, sheet, header, columnNames(), '', limits)
    for (const number of sheet.comments.keys())
      yield rowDocument(source, sheet, { number, cells: [] }, columnNames(), '', limits)
    for (const { text, row } of floating) {
      const place = row === undefined ? {} : { rowNum: row }
      yield { pageContent: text, metadata: { worksheet: sheet.name, ...place }, last: true }
    }
  }

  *#documents(rows: readonly SheetRow[]): Generator<DocumentPart> {
    const [source, sheet, limits] = [this.#source, this.#sheet, this.#limits]
    if (rows.length > 0 && !this.#documentOf) {
      const names = columnNames(this.#table.header)
      const title = shortTitle(this.#table.titles)
      if (title !== '') yield titleDocument(source, sheet, this.#table.titles)
      this.#documentOf = (row) => rowDocument(source, sheet, row, names, title, limits)
    }
    for (const row of rows) yield this.#documentOf!(row)
  }
}

/** The rows above the header of a sheet, as one document. */
function titleDocument(source: Extraction, sheet: OpenSheet, titles: readonly SheetRow[]): DocumentPart {
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
  source: Extraction,
  sheet: OpenSheet,
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
  source: Extraction,
  sheet: OpenSheet,
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
