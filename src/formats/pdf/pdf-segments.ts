import type { SegmentBox } from './pdf-columns.ts'
import type { Box, TextRun } from './pdf-runs.ts'

/**
 * A segment of a line with its runs; `order` and `last` are the file indexes of its first and last run. `isCode`: it
 * is a line in fixed-width type.
 */
export type PdfSegment = SegmentBox & { runs: TextRun[]; last: number; isCode?: boolean }

/** Runs closer than this are one segment of a line, in heights. */
export const MAX_GAP = 0.5

/** The text of a list item is no further from its marker than this, in heights. */
const MAX_MARKER_GAP = 3

/**
 * Joins runs that follow each other in the file without a gap; superscript and subscript stay with their line. A line
 * in fixed-width type is one segment, so that its gaps are not those of columns.
 */
export function pdfSegments(runs: readonly TextRun[]): PdfSegment[] {
  const segments: PdfSegment[] = []
  for (const line of linesInFile(runs)) {
    const isCode = isCodeLine(line)
    for (const [index, run] of line.entries()) {
      const last = segments.at(-1)
      if (isCode ? index > 0 : last && !last.isCode && (isNear(last, run) || isItem(last, run)))
        addRun(last!, run)
      else segments.push(segmentOf(run, isCode))
    }
  }
  return segments
}

const segmentOf = (run: TextRun, isCode: boolean): PdfSegment => ({
  ...boxOf(run),
  characters: run.text.length,
  hasWords: LETTER.test(run.text),
  order: run.order,
  last: run.order,
  runs: [run],
  ...(isCode ? { isCode } : {}),
})

/** Runs on one baseline that follow each other in the file, from left to right. */
function* linesInFile(runs: readonly TextRun[]): Generator<readonly TextRun[]> {
  let start = 0
  for (let index = 1; index <= runs.length; index++) {
    const [previous, run] = [runs[index - 1]!, runs[index]]
    if (run && isOnLine(previous, run) && run.x >= previous.right - previous.height) continue
    yield runs.slice(start, index)
    start = index
  }
}

/** In letters. A wider gap is between two columns of the page, not inside a line of code. */
const MAX_CODE_GAP = 40

/** Share of the letters of a line of code that may be in other type: a character that the font does not have. */
const MAX_OTHER = 0.1

/** Whether the text of a line is in fixed-width type, except for a mark before it. */
function isCodeLine(line: readonly TextRun[]): boolean {
  const code = line.length > 1 && LINE_MARK.test(line[0]!.text) ? line.slice(1) : line
  const width = code[0]!.letterWidth
  if (width === undefined || code.at(-1)!.letterWidth === undefined) return false
  let [all, other] = [0, 0]
  for (const [index, { letterWidth, x, text }] of code.entries()) {
    if (index > 0 && x - code[index - 1]!.right > MAX_CODE_GAP * width) return false
    all += text.length
    if (letterWidth === undefined) other += text.length
  }
  return other <= all * MAX_OTHER
}

/** The number of a line, or the arrow of one that was wrapped. */
const LINE_MARK = /^\s*(?:\d{1,4}|[˓→↳⤷]{1,2})\s*$/u

export const LETTER = /\p{L}/u

export const boxOf = ({ x, right, y, height }: Box): Box => ({ x, right, y, height })

function isNear(segment: Box, run: Box): boolean {
  const height = Math.max(segment.height, run.height)
  const gap = Math.max(run.x - segment.right, segment.x - run.right)
  if (gap > height * MAX_GAP || gap < -height) return false
  return (
    Math.abs(run.y - segment.y) <
    height * (segment.height / run.height > 1.2 || run.height / segment.height > 1.2 ? 0.6 : 0.3)
  )
}

/** Whether a run is the text of a list item whose marker is the segment. */
const isItem = (segment: PdfSegment, run: TextRun): boolean =>
  segment.runs.length === 1 &&
  LIST_MARKER.test(segment.runs[0]!.text) &&
  isOnLine(segment, run) &&
  run.x > segment.x &&
  run.x - segment.right < segment.height * MAX_MARKER_GAP

export function addRun(segment: PdfSegment, run: TextRun): void {
  if (run.height > segment.height) [segment.y, segment.height] = [run.y, run.height]
  segment.x = Math.min(segment.x, run.x)
  segment.right = Math.max(segment.right, run.right)
  segment.characters += run.text.length
  segment.hasWords ||= LETTER.test(run.text)
  segment.last = Math.max(segment.last, run.order)
  segment.runs.push(run)
}

/** Whether a box is on a line; superscript and subscript are. */
export const isOnLine = (row: Pick<Box, 'y' | 'height'>, segment: Box): boolean =>
  Math.abs(row.y - segment.y) <=
  Math.min(Math.max(row.height, segment.height) * 0.35, Math.min(row.height, segment.height) * 0.5)

/** The marker or the number of a list item, and nothing else. */
export const LIST_MARKER = /^\s*(?:\p{P}|\p{S}|\(?\p{N}{1,3}[.)])\s*$/u
