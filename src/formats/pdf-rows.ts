import type { Box } from './pdf-runs.ts'
import { addRun, isOnLine, type Segment } from './pdf-segments.ts'

/** A line of a cell is nearer than this to the line above it, in heights. */
const WRAPPED = 1.6

/**
 * A line of parts; `low` is the lowest baseline in its cells, `byEnd` finds a part by the place in
 * the file of its last run.
 */
type Row = Pick<Box, 'y' | 'height'> & { parts: Segment[]; low: number; byEnd: Map<number, Segment> }

/** The rows of a region, from top to bottom; a line that is wrapped in a cell belongs to the row of the cell. */
export function visualRows(region: readonly Segment[]): Segment[][] {
  const rows: Row[] = []
  for (const part of region) {
    const row = rows.at(-1)
    if (row && isOnLine(row, part)) {
      row.parts.push(part)
      row.byEnd.set(part.last, part)
      if (part.height > row.height) [row.y, row.height, row.low] = [part.y, part.height, part.y]
    } else {
      unwrap(rows)
      rows.push({
        parts: [part],
        y: part.y,
        height: part.height,
        low: part.y,
        byEnd: new Map([[part.last, part]]),
      })
    }
  }
  unwrap(rows)
  return asWritten(rows).map(({ parts }) => parts)
}

/** Lays the last row into the cells of the one before it, where each of its parts goes on in the file from there. */
function unwrap(rows: Row[]): void {
  const [row, next] = [rows.at(-2), rows.at(-1)]
  if (!row || !next || next.parts.length >= row.parts.length) return
  if (row.low - next.y > next.height * WRAPPED) return
  const cells = next.parts.map((part) => cellOver(row, part))
  if (cells.includes(undefined)) return
  for (const [index, { runs }] of next.parts.entries()) {
    const cell = cells[index]!
    row.byEnd.delete(cell.last)
    // beneath the end of the cell on the page, behind it on the line
    for (const run of runs) addRun(cell, { ...run, x: cell.right, right: cell.right, spaced: true })
    row.byEnd.set(cell.last, cell)
  }
  row.low = next.y
  rows.pop()
}

/** The cell that a part goes on with: it comes right before it in the file, and above it on the page. */
function cellOver(row: Row, part: Segment): Segment | undefined {
  const cell = row.byEnd.get(part.order - 1)
  return cell && Math.abs(cell.x - part.x) < cell.right - cell.x ? cell : undefined
}

/**
 * Two or three rows keep the order of the file where they stand beside one another rather than below: a box at the
 * end of a list, a number between the two lines it counts for.
 */
function asWritten(rows: Row[]): Row[] {
  if (rows.length > 3 || !rows.every(({ parts }) => isUnbroken(parts))) return rows
  const isWritten = rows.every((row, index) => {
    const above = rows[index - 1]
    return !above || above.parts[0]!.order < row.parts[0]!.order || isBeside(above, row)
  })
  return isWritten ? rows.toSorted((a, b) => a.parts[0]!.order - b.parts[0]!.order) : rows
}

function isBeside(above: Row, below: Row): boolean {
  if (above.y - below.y < Math.min(above.height, below.height) * 0.7) return true
  const [first, second] = [widthOf(above), widthOf(below)]
  return first.right <= second.x || second.right <= first.x
}

function widthOf({ parts }: Row): { x: number; right: number } {
  const width = { x: Infinity, right: -Infinity }
  for (const { x, right } of parts) {
    width.x = Math.min(width.x, x)
    width.right = Math.max(width.right, right)
  }
  return width
}

/** Whether parts follow one another in the file. */
function isUnbroken(parts: readonly Segment[]): boolean {
  const sorted = parts.toSorted((a, b) => a.order - b.order)
  return sorted.every((part, index) => index === 0 || part.order === sorted[index - 1]!.last + 1)
}
