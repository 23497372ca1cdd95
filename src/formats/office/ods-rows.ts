import type { FileLimits } from '../limits.ts'
import { odfChartTitles } from './odf-objects.ts'
import { ODF_CONTENT } from './odf-package.ts'
import { OdfStory } from './odf-story.ts'
import type { OdfStyles } from './odf-styles.ts'
import type { OfficePackage } from './office-package.ts'
import { commentLine, type FloatingText, type OpenSheet } from '../sheet-documents.ts'
import { renderBlock } from '../story-block.ts'
import { columnLetters, MAX_COLUMNS, type SheetCell, type SheetRow } from './xlsx-cell.ts'
import { MergedCells, type MergedArea } from './xlsx-merges.ts'
import { attribute, type ElementRule, SKIP, SKIP_ELEMENT, type XmlAttributes } from '../xml.ts'

/** What a spreadsheet holds, in the order of the file. */
export type OdsEvent = { begin: OpenSheet } | { row: SheetRow } | { end: FloatingText[] }

type RepeatedRow = { row: SheetRow; repeat: number; merged: MergedCells }
type Cell = { column: number; repeat: number; attributes: XmlAttributes }

/** Reads the sheets of a spreadsheet row by row (OpenDocument 1.3 part 3, 9); rows without text are left out. */
export function* readOdsRows(
  source: OfficePackage,
  styles: OdfStyles,
  limits: FileLimits,
): Generator<OdsEvent> {
  const story = new OdfStory(source, styles)
  let events: (Exclude<OdsEvent, { row: SheetRow }> | RepeatedRow)[] = []
  let isSpreadsheet = false
  let cellsLeft = limits.cells
  let sheet: OpenSheet | undefined
  let floating: FloatingText[] = []
  let areas: MergedArea[] = []
  let merged = new MergedCells(areas)
  let row: SheetRow = { number: 0, cells: [] }
  let rowRepeat = 1
  let column = 0
  let inRow = false
  let cell: Cell | undefined
  let shapes = 0

  const countCells = (count: number) => {
    cellsLeft -= count
    if (cellsLeft < 0) source.overLimit(`it holds more than ${limits.cells} cells`)
  }
  const floatingText = (text: string) => {
    if (text.trim() !== '') floating.push({ text: text.trim(), row: cell && row.number })
  }

  const endRow = () => {
    if (row.cells.length > 0) events.push({ row, repeat: rowRepeat, merged })
    row = { number: row.number + rowRepeat - 1, cells: [] }
  }
  /** A row may be repeated a million times, so that its copies are made one by one. */
  function* shownEvents(): Generator<OdsEvent> {
    for (const event of events) {
      if (!('repeat' in event)) yield event
      else
        for (let index = 0; index < event.repeat; index++) {
          const copy = { number: event.row.number + index, cells: [...event.row.cells] }
          countCells(event.merged.fill(copy) + (index > 0 ? copy.cells.length : 0))
          yield { row: copy }
        }
    }
    events = []
  }
  const beginCell = (attributes: XmlAttributes): typeof SKIP | undefined => {
    // only a damaged file has cells in cells, or outside of a row
    if (cell || !inRow) return SKIP
    cell = {
      column,
      repeat: countOf(attribute(attributes, 'number-columns-repeated'), MAX_COLUMNS),
      attributes,
    }
    countCells(1)
    story.begin()
    return undefined
  }
  const endCell = () => {
    const text = story.end().map(renderBlock).join('\n')
    const { repeat, attributes } = cell!
    addComments()
    const content = cellOf(text, attributes)
    if (content) {
      const rows = countOf(attribute(attributes, 'number-rows-spanned'), limits.cells)
      if (rows > 1) areas.push({ top: row.number, bottom: row.number + rows - 1, column })
      for (let count = 0; count < repeat && column + count < MAX_COLUMNS; count++)
        row.cells.push({ column: column + count, ...content })
      countCells(repeat - 1)
    }
    column += repeat
    cell = undefined
  }
  const addComments = () => {
    for (const { author, text } of story.comments.splice(0)) {
      if (text === '' || !sheet) continue
      const line = commentLine(`${columnLetters(column)}${row.number}`, author, text)
      source.countText(line.length)
      sheet.comments.set(row.number, [...(sheet.comments.get(row.number) ?? []), line])
    }
  }
  /** The text of a shape is not that of the cell below it. */
  const shape = (name: string): ElementRule => ({
    open(attributes) {
      if (shapes++ === 0) story.begin()
      story.rules[name]?.open?.(attributes)
    },
    close() {
      story.rules[name]?.close?.()
      if (--shapes === 0) floatingText(story.end().map(renderBlock).join('\n'))
    },
  })

  const steps = source.readMainInSteps(ODF_CONTENT, {
    ...styles.rules,
    ...story.rules,
    ...Object.fromEntries(
      ['frame', 'custom-shape', 'rect', 'ellipse', 'caption'].map((name) => [name, shape(name)]),
    ),
    object: {
      open: (attributes) => {
        for (const title of odfChartTitles(source, attribute(attributes, 'href') ?? '')) story.put(title)
      },
    },
    spreadsheet: { open: () => (isSpreadsheet = true) },
    table: {
      open(attributes) {
        if (sheet) return SKIP
        const name = attribute(attributes, 'name') ?? ''
        if (styles.hides(attribute(attributes, 'style-name'))) {
          source.note(`sheet ${name} is hidden and was skipped`)
          source.drop('hiddenSheet', { sheet: name })
          return SKIP
        }
        sheet = { name, comments: new Map() }
        floating = []
        areas = []
        merged = new MergedCells(areas)
        row = { number: 0, cells: [] }
        events.push({ begin: sheet })
        return undefined
      },
      close() {
        if (sheet) events.push({ end: floating })
        sheet = undefined
      },
    },
    'table-row': {
      open(attributes) {
        if (!sheet || inRow) return SKIP
        inRow = true
        row = { number: row.number + 1, cells: [] }
        rowRepeat = countOf(attribute(attributes, 'number-rows-repeated'), MAX_ROWS)
        column = 0
        return undefined
      },
      close() {
        endRow()
        inRow = false
      },
    },
    'table-cell': { open: beginCell, close: endCell },
    'covered-table-cell': {
      open(attributes) {
        column += countOf(attribute(attributes, 'number-columns-repeated'), MAX_COLUMNS)
        return SKIP
      },
    },
    'content-validations': SKIP_ELEMENT,
  })
  for (const _ of steps) yield* shownEvents()
  if (!isSpreadsheet) source.unreadable('it is not an OpenDocument spreadsheet')
  yield* shownEvents()
}

/** LibreOffice has 1,048,576 rows. */
const MAX_ROWS = 2 ** 20

const countOf = (value: string | undefined, most: number): number =>
  Math.min(most, Math.max(1, Math.trunc(Number(value ?? 1)) || 1))

/** The text of a cell as it is shown, and its value; a date is written as in Excel workbooks. */
function cellOf(shown: string, attributes: XmlAttributes): Omit<SheetCell, 'column'> | undefined {
  const given = (name: string) => attribute(attributes, name)
  const type = given('value-type')
  const date = type === 'date' ? given('date-value') : undefined
  if (date) {
    const text = date.replace(/T00:00:00(\.0*)?$/, '').replace('T', ' ')
    return { text, value: text }
  }
  if (type === 'boolean') {
    const value = given('boolean-value') === 'true'
    return { text: value ? 'TRUE' : 'FALSE', value }
  }
  const text = shown.trim() === '' ? (given('string-value') ?? given('value') ?? '') : shown
  if (text.trim() === '') return undefined
  const number = Number(given('value') ?? Number.NaN)
  return { text, value: Number.isFinite(number) && NUMERIC.has(type ?? '') ? number : text }
}

const NUMERIC: ReadonlySet<string> = new Set(['currency', 'float', 'percentage'])
