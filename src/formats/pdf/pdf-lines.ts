import type { TextContent } from 'pdfjs-dist/types/src/display/api.d.ts'
import { composeAccents } from './pdf-accents.ts'
import { readingRegions } from './pdf-columns.ts'
import { withoutDoubles } from './pdf-doubles.ts'
import { type Box, type DirectedRuns, runsByDirection, type WidthOfFont } from './pdf-runs.ts'
import { isRightToLeft, type PdfLine, lineOfRow } from './pdf-line-text.ts'
import { visualRows } from './pdf-rows.ts'
import { type PdfSegment, pdfSegments } from './pdf-segments.ts'
import { sectionsOf } from './pdf-tables.ts'

export type { PdfLine }

/** Running headers and footers are in the upper and lower twelfth of a page. */
const BAND = 0.08

/**
 * The lines of a page in reading order: column after column, the cells of a table's row on one line with tabs between
 * them. Accents are on their letters, and text that is printed twice at one place is there once.
 *
 * @param view lower left and upper right corner of the page: x, y, x, y
 */
export function pdfLines(content: TextContent, view: readonly number[], widthOf?: WidthOfFont): PdfLine[] {
  return runsByDirection(content, view, widthOf).flatMap((direction, index) =>
    linesOfDirection(direction, index === 0),
  )
}

function linesOfDirection({ runs, bottom, height }: DirectedRuns, isMain: boolean): PdfLine[] {
  const whole = withoutDoubles(composeAccents(runs)).map((run, order) => ({ ...run, order }))
  const [head, body, foot] = withoutEdges(pdfSegments(whole), bottom, height)
  const isAtEdge = ({ y }: Box) => y > bottom + height * (1 - BAND) || y < bottom + height * BAND
  const fromRight = isRightToLeft(runs)
  const linesOf = (region: readonly PdfSegment[]) => visualRows(region).map(lineOfRow)
  const lines = sectionsOf(body).flatMap((section) =>
    'rows' in section
      ? section.rows.map((row) => ({ ...lineOfRow(row), isRow: true }))
      : readingRegions(section.text, fromRight).flatMap(linesOf),
  )
  return [...linesOf(head), ...lines, ...linesOf(foot)].map((line) =>
    isMain && isAtEdge(line) ? { ...line, isAtEdge: true } : line,
  )
}

/** Separates the bands at the top and bottom from the body, if white space divides them: `[head, body, foot]`. */
function withoutEdges(
  segments: readonly PdfSegment[],
  bottom: number,
  height: number,
): [PdfSegment[], PdfSegment[], PdfSegment[]] {
  const sorted = segments.toSorted((a, b) => b.y - a.y || a.x - b.x)
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
