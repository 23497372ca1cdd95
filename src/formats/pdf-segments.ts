import type { SegmentBox } from './pdf-columns.ts'
import type { Box, TextRun } from './pdf-runs.ts'

/** A stretch of a line with the runs it is made of; `order` and `last` are the places in the file of first and last. */
export type Segment = SegmentBox & { runs: TextRun[]; last: number }

/** Runs nearer than this are one stretch of a line, in heights. */
export const MAX_GAP = 0.5

/** The text of a list item begins no further from its mark than this, in heights. */
const FAR = 3

/** Joins runs that follow each other in the file without a gap; raised and lowered ones stay with their line. */
export function segmentsOf(runs: readonly TextRun[]): Segment[] {
  const parts: Segment[] = []
  for (const run of runs) {
    const last = parts.at(-1)
    if (last && (isNear(last, run) || isItem(last, run))) addRun(last, run)
    else
      parts.push({
        ...boxOf(run),
        characters: run.text.length,
        hasWords: LETTER.test(run.text),
        order: run.order,
        last: run.order,
        runs: [run],
      })
  }
  return parts
}

export const LETTER = /\p{L}/u

export const boxOf = ({ x, right, y, height }: Box): Box => ({ x, right, y, height })

function isNear(part: Box, run: Box): boolean {
  const height = Math.max(part.height, run.height)
  const gap = Math.max(run.x - part.right, part.x - run.right)
  if (gap > height * MAX_GAP || gap < -height) return false
  return (
    Math.abs(run.y - part.y) <
    height * (part.height / run.height > 1.2 || run.height / part.height > 1.2 ? 0.6 : 0.3)
  )
}

/** Whether a run is the text of the list item whose mark stands before it. */
const isItem = (part: Segment, run: TextRun): boolean =>
  part.runs.length === 1 &&
  LIST_MARKER.test(part.runs[0]!.text) &&
  isOnLine(part, run) &&
  run.x > part.x &&
  run.x - part.right < part.height * FAR

export function addRun(part: Segment, run: TextRun): void {
  if (run.height > part.height) [part.y, part.height] = [run.y, run.height]
  part.x = Math.min(part.x, run.x)
  part.right = Math.max(part.right, run.right)
  part.characters += run.text.length
  part.hasWords ||= LETTER.test(run.text)
  part.last = Math.max(part.last, run.order)
  part.runs.push(run)
}

/** Whether a part stands on a line; the limits let raised and lowered letters pass. */
export const isOnLine = (row: Pick<Box, 'y' | 'height'>, part: Box): boolean =>
  Math.abs(row.y - part.y) <=
  Math.min(Math.max(row.height, part.height) * 0.35, Math.min(row.height, part.height) * 0.5)

/** The mark or the number of a list item, and nothing else. */
export const LIST_MARKER = /^\s*(?:\p{P}|\p{S}|\(?\p{N}{1,3}[.)])\s*$/u
