/** A cell that is not blank: its column from 0, the text that Excel shows, and its value. */
export type SheetCell = { column: number; text: string; value: string | number | boolean }

/** A row, by its number in the sheet from 1; its cells in the order of their columns. */
export type SheetRow = { number: number; cells: SheetCell[] }

/** Excel's last column is `XFD`. */
export const MAX_COLUMNS = 16_384

/** The column of a cell reference: `A1` is 0, `XFD7` is 16383, undefined where it names none. */
export function columnOf(reference: string): number | undefined {
  let index = 0
  let position = 0
  for (; position < 3; position++) {
    const letter = reference.charCodeAt(position) - 64
    if (!(letter >= 1 && letter <= 26)) break
    index = index * 26 + letter
  }
  return index > 0 && index <= MAX_COLUMNS ? index - 1 : undefined
}

/** The letters of a column: 0 is `A`. */
export function columnLetters(column: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}
