import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.d.ts'

/** A place in points: `x` to `right` along the line, `y` the baseline, upward from the lower edge of the page. */
export type Box = { x: number; right: number; y: number; height: number }

/** A piece of text that pdf.js gives at one place, never only white space. `spaced`: white space stands before it; `order`: its place in its frame. */
export type TextRun = Box & { text: string; spaced: boolean; order: number }

/** The runs of a page that are set in one direction, turned so that they read from left to right, in file order. */
export type DirectedRuns = { runs: TextRun[]; bottom: number; height: number }

/** Directions nearer to each other than this are one, in degrees. */
const STEP = 5

/** A coordinate beyond this is a damaged one: PDF allows 14,400 points. */
const FARTHEST = 1e6

/**
 * Parts the text of a page by its direction; the direction with most text comes first, the others as they begin in
 * the file. Vertical writing is a line that runs down, with the next line to its left. A run whose place is not a
 * finite number follows the run before it.
 *
 * @param view the page as x and y of its lower left and its upper right corner
 */
export function runsByDirection({ items, styles }: TextContent, view: readonly number[]): DirectedRuns[] {
  const frames = new Map<number, DirectedRuns & { characters: number }>()
  let spaced = false
  let previous: TextRun | undefined
  for (const item of items) {
    if (!('str' in item)) continue
    if (item.str.trim() === '') spaced = true
    else {
      const isVertical = styles[item.fontName]?.vertical === true
      const degrees = isVertical ? 270 : directionOf(item)
      const frame = frames.get(degrees) ?? { ...extentOf(degrees, view), runs: [], characters: 0 }
      frames.set(degrees, frame)
      previous = {
        text: item.str,
        spaced,
        order: frame.runs.length,
        ...placeOf(item, isVertical, degrees, previous),
      }
      frame.runs.push(previous)
      frame.characters += item.str.length
      spaced = item.hasEOL
    }
    if (item.hasEOL) spaced = true
  }
  const all = [...frames.values()]
  const main = all.toSorted((a, b) => b.characters - a.characters)[0]
  return main ? [main, ...all.filter((frame) => frame !== main)] : []
}

function directionOf({ transform }: TextItem): number {
  const [a, b] = transform as number[]
  const degrees = Math.round((Math.atan2(b!, a!) * 180) / Math.PI / STEP) * STEP
  return Number.isNaN(degrees) ? 0 : (degrees + 360) % 360
}

function placeOf(item: TextItem, isVertical: boolean, degrees: number, previous: TextRun | undefined): Box {
  const [a, b, c, d, e, f] = item.transform as [number, number, number, number, number, number]
  const [x, y] = turned(e, f, degrees)
  const height = isVertical ? Math.hypot(a, b) : Math.hypot(c, d) || item.height
  const width = Math.abs(isVertical ? item.height : item.width)
  const isSound = [x, y, height, width].every((value) => Math.abs(value) < FARTHEST)
  if (isSound) return { x, right: x + width, y, height }
  const { right, y: line, height: size } = previous ?? { right: 0, y: 0, height: 1 }
  return { x: right, right, y: line, height: size }
}

/** How far a page reaches up and down in the turned frame. */
function extentOf(degrees: number, [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]) {
  const corners = [
    turned(x0, y0, degrees),
    turned(x0, y1, degrees),
    turned(x1, y0, degrees),
    turned(x1, y1, degrees),
  ]
  const heights = corners.map(([, y]) => y)
  const bottom = Math.min(...heights)
  return { bottom, height: Math.max(...heights) - bottom }
}

function turned(x: number, y: number, degrees: number): [x: number, y: number] {
  if (degrees === 0) return [x, y]
  const angle = (degrees * Math.PI) / 180
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
  return [x * cosine + y * sine, y * cosine - x * sine]
}
