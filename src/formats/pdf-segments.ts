import type { SegmentBox } from './pdf-columns.ts'
import type { Box, TextRun } from './pdf-runs.ts'

/** A segment of a line with its runs; `order` and `last` are the file indexes of its first and last run. */
export type PdfSegment = SegmentBox & { runs: TextRun[]; last: number }

/** Runs closer than this are one segment of a line, in heights. */
export const MAX_GAP = 0.5

/** The text of a list item is no further from its marker than this, in heights. */
const MAX_MARKER_GAP = 3

/** Joins runs that follow each other in the file without a gap; superscript and subscript stay with their line. */
export function pdfSegments(runs: readonly TextRun[]): PdfSegment[] {
  const segments: PdfSegment[] = []
  for (const run of runs) {
    const last = segments.at(-1)
    if (last && (isNear(last, run) || isItem(last, run))) addRun(last, run)
    else
      segments.push({
        ...boxOf(run),
        characters: run.text.length,
        hasWords: LETTER.test(run.text),
        order: run.order,
        last: run.order,
        runs: [run],
      })
  }
  return segments
}

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
