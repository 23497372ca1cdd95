import type { TextContent } from 'pdfjs-dist/types/src/display/api.d.ts'
import { regionsOf } from './pdf-columns.ts'
import { type Box, type Frame, framesOf } from './pdf-frames.ts'
import { isRightToLeft, type Line, lineOf } from './pdf-line-text.ts'
import { rowsOf } from './pdf-rows.ts'
import { type Part, stretchesOf } from './pdf-stretches.ts'

export type { Line }

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

function linesOfFrame({ runs, bottom, height }: Frame, isMain: boolean): Line[] {
  const [head, body, foot] = withoutEdges(stretchesOf(runs), bottom, height)
  const isAtEdge = ({ y }: Box) => y > bottom + height * (1 - BAND) || y < bottom + height * BAND
  return [head, ...regionsOf(body, isRightToLeft(runs)), foot].flatMap((region) =>
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
