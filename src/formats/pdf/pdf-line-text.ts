import type { Box, TextRun } from './pdf-runs.ts'
import { LIST_MARKER, boxOf, LETTER, MAX_GAP, type PdfSegment } from './pdf-segments.ts'

/**
 * A line of a page, in reading order. `cells`: where its cells begin, if wide gaps divide it; `isAtEdge`: it is in
 * the area of headers and footers; `isRunning`: it is one of them. `letterWidth`: of a line in fixed-width type, in
 * points; its text has a space for each letter that a gap is wide. `low`: the lowest baseline, if cells have several
 * lines; `isRow`: it is a row of a table with such cells.
 */
export type PdfLine = Box & {
  text: string
  letterWidth?: number
  low?: number
  isRow?: boolean
  cells?: readonly number[]
  isAtEdge?: boolean
  isRunning?: boolean
}

/** A wider gap is a space, in heights of the letters (pdf.js uses the same inside a run). */
const SPACE = 0.1

/** A wider gap separates two cells, in heights. */
const CELL = 1.2

/** Between two lines of a cell; a space, unless a word goes on there. */
export const CELL_BREAK = '\u2028'

/**
 * Alef, then alef with hamza or madda, then lam: no word has this sequence. It stands for alef, lam, alef: fonts draw
 * lam and alef as one glyph, and pdf.js reverses the two letters of that glyph together with the line.
 */
const TURNED_LAM_ALEF = /\u0627([\u0622\u0623\u0625])\u0644/g

/** The line of a row: its runs in reading order, with a space at a gap and a tab between cells. */
export function lineOfRow(segments: readonly PdfSegment[]): PdfLine {
  const row = boxAround(segments)
  if (segments.every(({ isCode }) => isCode)) return codeLine(row, segments)
  const pieces: string[] = []
  const cells = [row.x]
  let low: number | undefined
  let previous: TextRun | undefined
  for (const run of inLineOrder(segments.flatMap((segment) => segment.runs))) {
    if (previous) {
      const gap = Math.max(run.x - previous.right, previous.x - run.right)
      const isCell =
        !run.isWrapped && gap > row.height * CELL && !(pieces.length === 1 && LIST_MARKER.test(previous.text))
      if (isCell) {
        cells.push(run.x)
        pieces.push('\t')
      } else if (run.isWrapped) pieces.push(CELL_BREAK)
      else if (isSpaced(previous, run, gap > row.height * SPACE)) pieces.push(' ')
    }
    if (run.isWrapped) low = Math.min(low ?? row.y, run.y)
    pieces.push(run.text)
    previous = run
  }
  return {
    ...row,
    text: pieces.join('').replaceAll(TURNED_LAM_ALEF, '\u0627\u0644$1'),
    ...(cells.length > 1 ? { cells } : {}),
    ...(low === undefined ? {} : { low }),
  }
}

/** The line of a row in fixed-width type: a gap has as many spaces as letters would be there. */
function codeLine(row: Box, segments: readonly PdfSegment[]): PdfLine {
  const runs = segments.flatMap((segment) => segment.runs).sort((a, b) => a.x - b.x)
  const letterWidth = runs.at(-1)!.letterWidth!
  let text = ''
  let right = row.x
  for (const run of runs) {
    const gap = Math.round((run.x - right) / letterWidth)
    const isSpace = run.spaced && text !== '' && !/\s$/.test(text) && !/^\s/.test(run.text)
    text += ' '.repeat(Math.max(gap, isSpace ? 1 : 0)) + run.text
    right = run.right
  }
  return { ...row, text: text.trimEnd(), letterWidth }
}

const isSpaced = (previous: TextRun, run: TextRun, isGap: boolean): boolean =>
  (run.spaced || isGap || isOver(previous, run)) && !/\s$/.test(previous.text) && !/^\s/.test(run.text)

/**
 * Whether a run overlaps the previous one without following it in the file: two lines printed over each other are not
 * one word.
 */
const isOver = (previous: TextRun, run: TextRun): boolean =>
  run.order !== previous.order + 1 &&
  Math.min(run.right, previous.right) - Math.max(run.x, previous.x) > run.height * MAX_GAP

/** The box around all segments; baseline and height are those with most characters. */
function boxAround(segments: readonly PdfSegment[]): Box {
  const box = boxOf(segments[0]!)
  const heights = new Map<number, number>()
  let mostCharacters = 0
  for (const segment of segments) {
    box.x = Math.min(box.x, segment.x)
    box.right = Math.max(box.right, segment.right)
    for (const { text, y, height } of segment.runs) {
      const count = (heights.get(height) ?? 0) + text.length
      heights.set(height, count)
      if (count > mostCharacters) [mostCharacters, box.y, box.height] = [count, y, height]
    }
  }
  return box
}

/** Left to right; in a line of a right-to-left script right to left, except for its words of other scripts. */
function inLineOrder(runs: readonly TextRun[]): readonly TextRun[] {
  const sorted = runs.toSorted((a, b) => a.x - b.x)
  if (!isRightToLeft(sorted)) return sorted
  const ordered: TextRun[] = []
  let foreign: TextRun[] = []
  for (const run of sorted.reverse()) {
    if (LETTER.test(run.text) && !RTL.test(run.text)) foreign.push(run)
    else {
      for (const word of foreign.reverse()) ordered.push(word)
      ordered.push(run)
      foreign = []
    }
  }
  return ordered.concat(foreign.reverse())
}

const RTL = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u

export function isRightToLeft(runs: readonly TextRun[]): boolean {
  let balance = 0
  for (const { text } of runs) if (LETTER.test(text)) balance += RTL.test(text) ? text.length : -text.length
  return balance > 0
}
