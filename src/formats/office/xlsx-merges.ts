import { type SheetCell, columnOf, type SheetRow } from './xlsx-cell.ts'

/** A merged area, rows from 1, columns from 0. Only its first column and its height matter here. */
export type MergedArea = { top: number; bottom: number; column: number }

/**
 * The merged areas of a sheet that are more than one row high, sorted from the top. In the file they come after the
 * cells, too late for reading row by row, so they are searched in the bytes first (ECMA-376 part 1, 18.3.1.55).
 */
export function findMergedAreas(sheet: Uint8Array): MergedArea[] {
  const bytes = Buffer.from(sheet.buffer, sheet.byteOffset, sheet.length)
  const end = bytes.lastIndexOf('sheetData>')
  if (end < 0) return []
  const areas: MergedArea[] = []
  for (const [, letters, top, bottom] of bytes.toString('latin1', end).matchAll(MERGED)) {
    const column = columnOf(letters!)
    if (top === bottom || column === undefined) continue
    areas.push({ top: Number(top), bottom: Number(bottom), column })
    if (areas.length === MAX_AREAS) break
  }
  return areas.sort((a, b) => a.top - b.top)
}

/**
 * Adds to each row the values of merged cells that extend into it from above, so that a row can be understood alone.
 * Rows must be passed from top to bottom.
 */
export class MergedCells {
  readonly #areas: readonly MergedArea[]
  #next = 0
  readonly #open = new Map<number, { bottom: number; cell: SheetCell | undefined }>()

  constructor(areas: readonly MergedArea[]) {
    this.#areas = areas
  }

  /** Adds the cells to the row and returns how many were added. */
  fill(row: SheetRow): number {
    if (this.#next === this.#areas.length && this.#open.size === 0) return 0
    const own = new Map(row.cells.map((cell) => [cell.column, cell]))
    for (; this.#next < this.#areas.length && this.#areas[this.#next]!.top <= row.number; this.#next++) {
      const { top, bottom, column } = this.#areas[this.#next]!
      this.#open.set(column, { bottom, cell: top === row.number ? own.get(column) : undefined })
    }
    const before = row.cells.length
    for (const [column, { bottom, cell }] of this.#open) {
      if (bottom < row.number) this.#open.delete(column)
      else if (cell && !own.has(column) && own.size > 0) row.cells.push(cell)
    }
    if (row.cells.length > before) row.cells.sort((a, b) => a.column - b.column)
    return row.cells.length - before
  }
}

const MERGED = /<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g

/** Each costs memory; the largest workbook in the corpus has 57,893. */
const MAX_AREAS = 200_000
