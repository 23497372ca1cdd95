import type { Box, TextRun } from './pdf-runs.ts'
import { LIST_MARKER, boxOf, LETTER, MAX_GAP, type Segment } from './pdf-segments.ts'

/**
 * A line of a page as it is read. `cells`: where its cells begin, if wide gaps part it into several; `isAtEdge`: it
 * stands where headers and footers do; `isRunning`: it is one of them.
 */
export type PdfLine = Box & {
  text: string
  cells?: readonly number[]
  isAtEdge?: boolean
  isRunning?: boolean
}

/** A gap wider than this part of the height of the letters is a space (pdf.js uses the same inside a run). */
const SPACE = 0.1

/** A gap wider than this parts two cells, in heights. */
const CELL = 1.2

/**
 * Alef, alef with hamza or madda, lam: no word has this. It is alef, lam, alef, of which fonts make lam and alef one
 * glyph, and pdf.js turns the two letters of that glyph around with the line.
 */
const TURNED_LAM_ALEF = /\u0627([\u0622\u0623\u0625])\u0644/g

/** The line of a row: its runs as they are read, a space where the gap is one, a tab between cells. */
export function lineOfRow(parts: readonly Segment[]): PdfLine {
  const row = boxAround(parts)
  const pieces: string[] = []
  const cells = [row.x]
  let previous: TextRun | undefined
  for (const run of inLineOrder(parts.flatMap((part) => part.runs))) {
    if (previous) {
      const gap = Math.max(run.x - previous.right, previous.x - run.right)
      const isCell = gap > row.height * CELL && !(pieces.length === 1 && LIST_MARKER.test(previous.text))
      if (isCell) {
        cells.push(run.x)
        pieces.push('\t')
      } else if (isSpaced(previous, run, gap > row.height * SPACE)) pieces.push(' ')
    }
    pieces.push(run.text)
    previous = run
  }
  return {
    ...row,
    text: pieces.join('').replaceAll(TURNED_LAM_ALEF, '\u0627\u0644$1'),
    ...(cells.length > 1 ? { cells } : {}),
  }
}

const isSpaced = (previous: TextRun, run: TextRun, isGap: boolean): boolean =>
  (run.spaced || isGap || isOver(previous, run)) && !/\s$/.test(previous.text) && !/^\s/.test(run.text)

/** Whether a run lies over one that was not written before it: two lines in one place are not one word. */
const isOver = (previous: TextRun, run: TextRun): boolean =>
  run.order !== previous.order + 1 &&
  Math.min(run.right, previous.right) - Math.max(run.x, previous.x) > run.height * MAX_GAP

/** Around all parts, on the baseline and of the height of those with most characters. */
function boxAround(parts: readonly Segment[]): Box {
  const box = boxOf(parts[0]!)
  const heights = new Map<number, number>()
  let most = 0
  for (const part of parts) {
    box.x = Math.min(box.x, part.x)
    box.right = Math.max(box.right, part.right)
    for (const { text, y, height } of part.runs) {
      const count = (heights.get(height) ?? 0) + text.length
      heights.set(height, count)
      if (count > most) [most, box.y, box.height] = [count, y, height]
    }
  }
  return box
}

/** From left to right; in a line of a right-to-left script from right to left, but for its words of other scripts. */
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
