import type { OfficePackage } from './office-package.ts'
import { columnOf, MAX_COLUMNS, type SheetRow } from './xlsx-cell.ts'
import type { NumberFormats } from './xlsx-formats.ts'
import { findMergedAreas, MergedCells } from './xlsx-merges.ts'
import { unescapeString } from './xlsx-strings.ts'
import { SKIP_ELEMENT } from '../xml.ts'

/** What all sheets of a workbook share. */
export type Workbook = {
  strings: readonly string[]
  formats: NumberFormats
  /** Called with the number of cells read; throws if the workbook has too many. */
  countCells: (count: number) => void
}

/** Reads the rows of a sheet one after another (ECMA-376 part 1, 18.3); rows without text are left out. */
export function* readSheetRows(source: OfficePackage, part: string, book: Workbook): Generator<SheetRow> {
  const bytes = source.bytes(part)
  if (!bytes) return
  const merged = new MergedCells(findMergedAreas(bytes))
  let finished: SheetRow[] = []
  let row: SheetRow = { number: 0, cells: [] }
  let cell = { column: -1, type: '', style: 0, raw: '' }

  const endRow = () => {
    book.countCells(merged.fill(row))
    if (row.cells.length > 0) finished.push(row)
  }
  const endCell = () => {
    const content = contentOf(cell, book)
    if (content && content.text.trim() !== '') row.cells.push({ column: cell.column, ...content })
  }
  const write = (text: string) => {
    cell.raw += text
  }

  const steps = source.readInSteps(
    part,
    {
      row: {
        open({ r }) {
          const given = Number(r)
          row = { number: Number.isInteger(given) && given > 0 ? given : row.number + 1, cells: [] }
          cell.column = -1
        },
        close: endRow,
      },
      c: {
        open({ r = '', s = '0', t = 'n' }) {
          book.countCells(1)
          const column = columnOf(r) ?? Math.min(cell.column + 1, MAX_COLUMNS - 1)
          cell = { column, type: t, style: Number(s), raw: '' }
        },
        close: endCell,
      },
      v: { text: write },
      t: { text: write },
      rPh: SKIP_ELEMENT,
      // extensions of later versions of Excel
      extLst: SKIP_ELEMENT,
    },
    bytes,
  )
  for (const _ of steps) {
    yield* finished
    finished = []
  }
  yield* finished
}

function contentOf({ type, style, raw }: { type: string; style: number; raw: string }, book: Workbook) {
  if (raw === '') return undefined
  switch (type) {
    case 's':
      return textCell(book.strings[Number(raw)] ?? '')
    case 'b':
      return raw === '1' || raw === 'true' ? { text: 'TRUE', value: true } : { text: 'FALSE', value: false }
    case 'n': {
      const number = Number(raw)
      return Number.isFinite(number) ? book.formats.apply(number, style) : textCell(raw)
    }
    case 'd':
      return textCell(raw.replace('T', ' '))
    default:
      return textCell(unescapeString(raw))
  }
}

const textCell = (text: string) => ({ text, value: text })
