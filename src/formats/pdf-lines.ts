import type { TextContent } from 'pdfjs-dist/types/src/display/api.d.ts'
import { regionsOf, type Stretch } from './pdf-columns.ts'
import { type Box, type Frame, framesOf, type Run } from './pdf-frames.ts'

/** A line of a page as it is read. `cells`: where its cells begin, if wide gaps part it into several. */
export type Line = Box & { text: string; cells?: readonly number[]; isAtEdge?: boolean }

/** A gap wider than this part of the height of the letters is a space (pdf.js uses the same inside a run). */
const SPACE = 0.1

/** Runs nearer than this are one stretch of a line, in heights. */
const NEAR = 0.5

/** A line of a cell is nearer than this to the line above it, in heights. */
const WRAPPED = 1.6

/** The text of a list item begins no further from its mark than this, in heights. */
const FAR = 3

/** A gap wider than this parts two cells, in heights. */
const CELL = 1.2

/** Running headers and footers stand in the upper and lower twelfth of a page. */
const BAND = 0.08

/**
 * The lines of a page in the order in which they are read: column after column, the cells of a table's row on one
 * line with tabs between them.
 *
 * @param view the page as x and y of its lower left and its upper right corner
 */
export function linesOf(content: TextContent, view: readonly number[]): Line[] {
  return framesOf(content, view).flatMap((frame, index) => linesOfFrame(frame, index === 0))
}

/** `last`: the place in the file of its last run. */
type Part = Stretch & { runs: Run[]; last: number }

function linesOfFrame({ runs, bottom, height }: Frame, isMain: boolean): Line[] {
  const isRtl = isRightToLeft(runs)
  const [head, body, foot] = withoutEdges(stretchesOf(runs), bottom, height)
  const isAtEdge = ({ y }: Box) => y > bottom + height * (1 - BAND) || y < bottom + height * BAND
  return [head, ...regionsOf(body, isRtl), foot].flatMap((region) =>
    rowsOf(region).map((row) => {
      const line = lineOf(row)
      return isMain && isAtEdge(line) ? { ...line, isAtEdge: true } : line
    }),
  )
}

/** Parts what stands in the bands at the edges from the body, if white parts them from it. */
function withoutEdges(parts: readonly Part[], bottom: number, height: number): [Part[], Part[], Part[]] {
  const sorted = parts.toSorted((a, b) => b.y - a.y || a.x - b.x)
  const top = bottom + height * (1 - BAND)
  const low = bottom + height * BAND
  let from = sorted.findIndex(({ y }) => y <= top)
  let to = sorted.findLastIndex(({ y }) => y >= low) + 1
  if (from < 0 || to <= from) return [[], sorted, []]
  if (from > 0 && !isApart(sorted[from - 1]!, sorted[from]!)) from = 0
  if (to < sorted.length && !isApart(sorted[to - 1]!, sorted[to]!)) to = sorted.length
  return [sorted.slice(0, from), sorted.slice(from, to), sorted.slice(to)]
}

const isApart = (above: Box, below: Box): boolean =>
  above.y - below.y > Math.max(above.height, below.height) * 1.8

/** Joins runs that follow each other in the file without a gap; raised and lowered ones stay with their line. */
function stretchesOf(runs: readonly Run[]): Part[] {
  const parts: Part[] = []
  for (const run of runs) {
    const last = parts.at(-1)
    if (last && (isNear(last, run) || isItem(last, run))) extend(last, run)
    else parts.push({ ...boxOf(run), characters: run.text.length, hasWords: LETTER.test(run.text), order: run.order, last: run.order, runs: [run] })
  }
  return parts
}

const LETTER = /\p{L}/u

const boxOf = ({ x, right, y, height }: Box): Box => ({ x, right, y, height })

function isNear(part: Box, run: Box): boolean {
  const height = Math.max(part.height, run.height)
  const gap = Math.max(run.x - part.right, part.x - run.right)
  if (gap > height * NEAR || gap < -height) return false
  return Math.abs(run.y - part.y) < height * (part.height / run.height > 1.2 || run.height / part.height > 1.2 ? 0.6 : 0.3)
}

/** Whether a run is the text of the list item whose mark stands before it. */
const isItem = (part: Part, run: Run): boolean =>
  part.runs.length === 1 &&
  BULLET.test(part.runs[0]!.text) &&
  isOnLine(part, run) &&
  run.x > part.x &&
  run.x - part.right < part.height * FAR

function extend(part: Part, run: Run): void {
  if (run.height > part.height) [part.y, part.height] = [run.y, run.height]
  part.x = Math.min(part.x, run.x)
  part.right = Math.max(part.right, run.right)
  part.characters += run.text.length
  part.hasWords ||= LETTER.test(run.text)
  part.last = Math.max(part.last, run.order)
  part.runs.push(run)
}

/** A line of parts; `low` is the baseline of the lowest line that was wrapped in one of its cells. */
type Row = { parts: Part[]; y: number; height: number; low: number }

/** The rows of a region, from top to bottom; a line that is wrapped in a cell belongs to the row of the cell. */
function rowsOf(region: readonly Part[]): Part[][] {
  const rows: Row[] = []
  for (const part of region) {
    const row = rows.at(-1)
    if (row && isOnLine(row, part)) {
      row.parts.push(part)
      if (part.height > row.height) [row.y, row.height, row.low] = [part.y, part.height, part.y]
    } else {
      unwrap(rows)
      rows.push({ parts: [part], y: part.y, height: part.height, low: part.y })
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
  const cells = next.parts.map((part) =>
    row.parts.find((cell) => cell.last === part.order - 1 && Math.abs(cell.x - part.x) < cell.right - cell.x),
  )
  if (cells.includes(undefined)) return
  for (const [index, { runs }] of next.parts.entries()) {
    const cell = cells[index]!
    // beneath the cell, so in its place on the line
    for (const run of runs) extend(cell, { ...run, x: cell.x + (cell.right - cell.x), right: cell.right, spaced: true })
  }
  row.low = next.y
  rows.pop()
}

/** Where the file goes back up but once, as for a box beside a list, it is followed; otherwise the page is. */
function asWritten(rows: Row[]): Row[] {
  const written = rows.toSorted((a, b) => a.parts[0]!.order - b.parts[0]!.order)
  let back = 0
  for (let index = 1; index < written.length; index++) if (written[index]!.y > written[index - 1]!.y) back++
  return rows.length <= 3 && back <= 1 && rows.every(({ parts }) => isUnbroken(parts)) ? written : rows
}

/** Whether parts follow one another in the file. */
function isUnbroken(parts: readonly Part[]): boolean {
  const sorted = parts.toSorted((a, b) => a.order - b.order)
  return sorted.every((part, index) => index === 0 || part.order === sorted[index - 1]!.last + 1)
}

const isOnLine = (row: Pick<Box, 'y' | 'height'>, part: Box): boolean =>
  Math.abs(row.y - part.y) <= Math.max(row.height, part.height) * 0.35

function lineOf(parts: readonly Part[]): Line {
  const row = boxAround(parts)
  const runs = inLineOrder(parts.flatMap((part) => part.runs))
  let text = ''
  const cells = [row.x]
  let previous: Run | undefined
  for (const run of runs) {
    const gap = previous ? Math.max(run.x - previous.right, previous.x - run.right) : 0
    const isCell = gap > row.height * CELL && !BULLET.test(text)
    if (isCell) cells.push(run.x)
    if (isCell) text = `${text.trimEnd()}\t`
    else if (previous && (run.spaced || gap > row.height * SPACE) && !/\s$/.test(text)) text += ' '
    text += run.text
    previous = run
  }
  return { ...row, text, ...(cells.length > 1 ? { cells } : {}) }
}

/** Around all parts, on the baseline of the largest. */
function boxAround(parts: readonly Part[]): Box {
  const box = boxOf(parts[0]!)
  for (const { x, right, y, height } of parts) {
    if (height > box.height) [box.y, box.height] = [y, height]
    box.x = Math.min(box.x, x)
    box.right = Math.max(box.right, right)
  }
  return box
}

/** A line that so far holds only the mark or the number of a list. */
const BULLET = /^\s*(?:\p{P}|\p{S}|\(?\p{N}{1,3}[.)])\s*$/u

/** From left to right; in a line of a right-to-left script from right to left, but for its words of other scripts. */
function inLineOrder(runs: readonly Run[]): Run[] {
  const sorted = runs.toSorted((a, b) => a.x - b.x)
  if (!isRightToLeft(sorted)) return sorted
  const ordered: Run[] = []
  let foreign: Run[] = []
  for (const run of sorted.reverse()) {
    if (LETTER.test(run.text) && !RTL.test(run.text)) foreign.unshift(run)
    else {
      ordered.push(...foreign, run)
      foreign = []
    }
  }
  return [...ordered, ...foreign]
}

const RTL = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u

function isRightToLeft(runs: readonly Run[]): boolean {
  let balance = 0
  for (const { text } of runs) if (LETTER.test(text)) balance += RTL.test(text) ? text.length : -text.length
  return balance > 0
}
