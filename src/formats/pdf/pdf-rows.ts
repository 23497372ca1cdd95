import type { Box } from './pdf-runs.ts'
import { addRun, isOnLine, type PdfSegment } from './pdf-segments.ts'

/** The next line of a cell is closer than this to the line above it, in heights. */
const WRAPPED = 1.6

/**
 * The segments of one line. `low` is the lowest baseline in its cells; `byEnd` finds a segment by the file index of
 * its last run.
 */
type Row = Pick<Box, 'y' | 'height'> & { segments: PdfSegment[]; low: number; byEnd: Map<number, PdfSegment> }

/** The rows of a region, from top to bottom; a line that is wrapped in a cell belongs to the row of the cell. */
export function visualRows(region: readonly PdfSegment[]): PdfSegment[][] {
  const rows: Row[] = []
  for (const segment of region) {
    const row = rows.at(-1)
    if (row && isOnLine(row, segment)) {
      row.segments.push(segment)
      row.byEnd.set(segment.last, segment)
      if (segment.height > row.height) [row.y, row.height, row.low] = [segment.y, segment.height, segment.y]
    } else {
      unwrap(rows)
      rows.push({
        segments: [segment],
        y: segment.y,
        height: segment.height,
        low: segment.y,
        byEnd: new Map([[segment.last, segment]]),
      })
    }
  }
  unwrap(rows)
  return inFileOrder(rows).map(({ segments }) => segments)
}

/**
 * Merges the last row into the cells of the row before it, if each of its segments continues one of them in the file.
 */
function unwrap(rows: Row[]): void {
  const [row, next] = [rows.at(-2), rows.at(-1)]
  if (!row || !next || next.segments.length >= row.segments.length) return
  if (row.low - next.y > next.height * WRAPPED) return
  const cells = next.segments.map((segment) => cellOver(row, segment))
  if (cells.includes(undefined)) return
  for (const [index, { runs }] of next.segments.entries()) {
    const cell = cells[index]!
    row.byEnd.delete(cell.last)
    // it is below the cell on the page; in the line it comes after the cell
    for (const [at, run] of runs.entries())
      addRun(cell, { ...run, x: cell.right, right: cell.right, ...(at === 0 ? { isWrapped: true } : {}) })
    row.byEnd.set(cell.last, cell)
  }
  row.low = next.y
  rows.pop()
}

/** The cell that a segment continues: directly before it in the file, and above it on the page. */
function cellOver(row: Row, segment: PdfSegment): PdfSegment | undefined {
  const cell = row.byEnd.get(segment.order - 1)
  return cell && Math.abs(cell.x - segment.x) < cell.right - cell.x ? cell : undefined
}

/**
 * Two or three rows keep the order of the file if they are beside rather than below each other: a check box at the
 * end of a list, a number between the two lines that it belongs to.
 */
function inFileOrder(rows: Row[]): Row[] {
  if (rows.length > 3 || !rows.every(({ segments }) => isContiguous(segments))) return rows
  const isInFileOrder = rows.every((row, index) => {
    const above = rows[index - 1]
    return !above || above.segments[0]!.order < row.segments[0]!.order || isBeside(above, row)
  })
  return isInFileOrder ? rows.toSorted((a, b) => a.segments[0]!.order - b.segments[0]!.order) : rows
}

function isBeside(above: Row, below: Row): boolean {
  if (above.y - below.y < Math.min(above.height, below.height) * 0.7) return true
  const [first, second] = [widthOf(above), widthOf(below)]
  return first.right <= second.x || second.right <= first.x
}

function widthOf({ segments }: Row): { x: number; right: number } {
  const width = { x: Infinity, right: -Infinity }
  for (const { x, right } of segments) {
    width.x = Math.min(width.x, x)
    width.right = Math.max(width.right, right)
  }
  return width
}

/** Whether segments directly follow one another in the file. */
function isContiguous(segments: readonly PdfSegment[]): boolean {
  const sorted = segments.toSorted((a, b) => a.order - b.order)
  return sorted.every((segment, index) => index === 0 || segment.order === sorted[index - 1]!.last + 1)
}
