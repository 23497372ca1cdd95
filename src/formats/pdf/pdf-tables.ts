import { addRun, boxOf, LIST_MARKER, type PdfSegment } from './pdf-segments.ts'

/** A cell: the segments of its lines, from top to bottom. `low` is the baseline of the last one. */
type Cell = { lines: PdfSegment[]; x: number; right: number; top: number; low: number; height: number }
type Row = Omit<Cell, 'lines'> & { cells: Cell[] }

/** The lines of a cell are at most this far apart, and rows of a table at most this, in heights. */
const MAX_LEADING = 1.75
const MAX_ROW_GAP = 5

/** Rows are further apart than the lines of their cells by this factor. */
const MIN_ROW_GAP = 1.1

/** Two lines of a cell that have at least this many characters are running text. */
const MIN_PROSE_LINE = 25

/** A page with more tables, or a row with more cells, is hostile or a drawing. */
const MAX_TABLES = 50
const MAX_CELLS = 60

/** A part of a page: text, or the rows of a table with a segment for each cell. */
export type Section = { text: PdfSegment[] } | { rows: PdfSegment[][] }

/**
 * Separates tables that have cells of several lines from the text above and below. Such a table is known by the order
 * of the file: it has each cell as a whole, and row after row. Positions alone do not tell: the second line of a cell
 * looks like a row of its own, and a column of long cells like a column of text.
 *
 * @param segments in any order
 * @returns sections from top to bottom
 */
export function sectionsOf(segments: readonly PdfSegment[]): Section[] {
  const tables = tablesOf(segments.toSorted((a, b) => a.order - b.order)).slice(0, MAX_TABLES)
  const sections: Section[] = []
  let rest = segments
  for (const rows of tables.sort((a, b) => b[0]!.top - a[0]!.top)) {
    const inside = new Set(rows.flatMap(({ cells }) => cells.flatMap(({ lines }) => lines)))
    const [{ top }, { low }] = [rows[0]!, rows.at(-1)!]
    const others = rest.filter((segment) => !inside.has(segment))
    // beside other text it is part of a column
    if (inside.size + others.length !== rest.length || others.some(({ y }) => y <= top && y >= low)) continue
    sections.push({ text: others.filter(({ y }) => y > top) })
    sections.push({ rows: rows.map(({ cells, top: y }) => cells.map((cell) => joined(cell, y))) })
    rest = others.filter(({ y }) => y < low)
  }
  return [...sections, { text: [...rest] }]
}

/** Stretches of rows that are a table with a cell of several lines. */
function tablesOf(inFile: readonly PdfSegment[]): Row[][] {
  const tables: Row[][] = []
  let stretch: Row[] = []
  // next to rows that do not fit, as where a cell is in two rows, a stretch is a piece of a table
  let isPiece = false
  const end = (isBroken: boolean) => {
    if (!isPiece && !isBroken && isTable(stretch)) tables.push(stretch)
    stretch = []
    isPiece = isBroken
  }
  for (const row of rowsOf(cellsOf(inFile))) {
    if (row.cells.length < 2 || isMarker(row.cells[0]!)) end(false)
    else {
      const above = stretch.at(-1)
      if (above && !isNextRow(above, row)) end(isCloseBelow(above, row))
      stretch.push(row)
    }
  }
  end(false)
  return tables
}

/** Whether a cell is the marker of a list item. */
const isMarker = ({ lines: [first] }: Cell): boolean =>
  first!.characters < 3 &&
  (LIST_MARKER.test(first!.runs[0]!.text) || /^[^\p{Lu}\p{Ll}]+$|[.)]$/u.test(first!.runs[0]!.text))

/**
 * Of several rows, with a cell of several lines, which are closer together than the rows; and not columns of running
 * text, of which a row has two.
 */
function isTable(rows: readonly Row[]): boolean {
  if (rows.length < 2 || (rows.length === 2 && rows[0]!.cells.length + rows[1]!.cells.length < 6))
    return false
  let [leading, rowGap] = [0, Infinity]
  for (const [index, { cells, top }] of rows.entries()) {
    if (index > 0) rowGap = Math.min(rowGap, rows[index - 1]!.low - top)
    if (cells.filter(isProse).length > 1) return false
    for (const { lines } of cells)
      for (const [at, { y }] of lines.entries()) if (at > 0) leading = Math.max(leading, lines[at - 1]!.y - y)
  }
  return leading > 0 && rowGap >= leading * MIN_ROW_GAP
}

const isProse = ({ lines }: Cell): boolean =>
  lines.filter(({ characters }) => characters >= MIN_PROSE_LINE).length > 1

/** Joins segments that are below each other and follow each other in the file. */
function cellsOf(inFile: readonly PdfSegment[]): Cell[] {
  const cells: Cell[] = []
  for (const segment of inFile) {
    const cell = cells.at(-1)
    if (cell && isInCell(cell, segment)) {
      cell.lines.push(segment)
      cell.x = Math.min(cell.x, segment.x)
      cell.right = Math.max(cell.right, segment.right)
      cell.low = segment.y
    } else {
      const { x, right, y, height } = segment
      cells.push({ lines: [segment], x, right, top: y, low: y, height })
    }
  }
  return cells
}

function isInCell(cell: Cell, { x, right, y, height, isCode }: PdfSegment): boolean {
  const gap = cell.low - y
  const isBelow = gap > height * 0.5 && gap < height * MAX_LEADING
  return (
    isBelow && !isCode && x < cell.right && cell.x < right && Math.abs(cell.height - height) < height * 0.2
  )
}

/** Puts cells that follow each other in the file into one row where they are beside each other. */
function rowsOf(cells: readonly Cell[]): Row[] {
  const rows: Row[] = []
  for (const cell of cells) {
    const row = rows.at(-1)
    if (row && isBeside(row, cell)) {
      row.cells.push(cell)
      row.top = Math.max(row.top, cell.top)
      row.low = Math.min(row.low, cell.low)
      row.x = Math.min(row.x, cell.x)
      row.right = Math.max(row.right, cell.right)
    } else {
      const { lines, ...box } = cell
      rows.push({ cells: [cell], ...box })
    }
  }
  return rows
}

/** Whether a cell is at the height of a row, with its top or its middle, and beside its cells. */
function isBeside(row: Row, cell: Cell): boolean {
  const near = Math.max(row.height, cell.height) * 0.4
  const isLevel =
    Math.abs(row.top - cell.top) < near || Math.abs(row.top + row.low - cell.top - cell.low) < near * 2
  return isLevel && row.cells.length < MAX_CELLS && (row.right <= cell.x || cell.right <= row.x)
}

/** Whether a row is below another one of its table: no cell is below two, and two cells or more are aligned with one. */
function isNextRow(above: Row, row: Row): boolean {
  if (!isCloseBelow(above, row)) return false
  let aligned = 0
  for (const cell of row.cells) {
    const over = above.cells.filter(({ x, right }) => x < cell.right && cell.x < right)
    if (over.length > 1) return false
    if (over.some((other) => isAligned(other, cell))) aligned++
  }
  return aligned > 1
}

function isCloseBelow(above: Row, row: Row): boolean {
  const gap = above.low - row.top
  return gap > row.height * 0.5 && gap < row.height * MAX_ROW_GAP
}

const isAligned = (a: Cell, b: Cell): boolean => {
  const near = Math.max(a.height, b.height) * 0.6
  return (
    Math.abs(a.x - b.x) < near ||
    Math.abs(a.right - b.right) < near ||
    Math.abs(a.x + a.right - b.x - b.right) < near * 2
  )
}

/** A cell as one segment on a baseline; its later lines follow the first one. */
function joined({ lines, x, right }: Cell, y: number): PdfSegment {
  const [first, ...others] = lines
  const cell: PdfSegment = {
    ...first!,
    ...boxOf(first!),
    y,
    x,
    right,
    runs: first!.runs.map((run) => ({ ...run })),
  }
  for (const { runs } of others)
    for (const [index, run] of runs.entries())
      addRun(cell, { ...run, x: right, right, ...(index === 0 ? { isWrapped: true } : {}) })
  return { ...cell, y }
}
