/** A cell of an HTML table: its text, and how many columns and rows it takes. */
export type SpannedCell = { text: string; columns: number; rows: number }

/** The most that is believed, and up to which column: a hostile page has cells by the thousand that take thousands. */
const MOST = { columns: 100, rows: 1000, column: 200 }

/** How many empty cells a table may get for each of its own. */
const EMPTY_SHARE = 8

/** How many columns or rows a cell says that it takes: 1 where it says nothing that makes sense. */
export function spanOf(value: string | undefined, kind: 'columns' | 'rows'): number {
  const span = Number.parseInt(value ?? '', 10)
  return span > 1 ? Math.min(span, MOST[kind]) : 1
}

/**
 * The texts of a table in a grid: where a cell takes several columns or rows, empty ones follow it, so that the cells after it
 * stay below the names of their columns. There are none at the end of a row.
 */
export function gridOf(table: readonly (readonly SpannedCell[])[]): string[][] {
  let room = EMPTY_SHARE * table.reduce((sum, cells) => sum + cells.length, 0)
  /** How many rows more each column is taken from above. */
  const taken: number[] = []
  return table.map((cells) => {
    const row: string[] = []
    let filled = 0
    for (const { text, columns, rows } of cells) {
      for (; (taken[row.length] ?? 0) > 0 && room > 0; room--) {
        taken[row.length]!--
        row.push('')
      }
      for (let column = 0; column < columns && (column === 0 || room-- > 0); column++) {
        if (row.length < MOST.column) taken[row.length] = rows - 1
        row.push(column === 0 ? text : '')
        if (column === 0) filled = row.length
      }
    }
    for (let column = row.length; column < taken.length; column++) if (taken[column]! > 0) taken[column]!--
    row.length = filled
    return row
  })
}
