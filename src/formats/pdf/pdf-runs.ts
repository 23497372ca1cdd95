import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.d.ts'

/**
 * A box in points: `x` to `right` along the line, `y` the baseline, measured upward from the lower edge of the page.
 */
export type Box = { x: number; right: number; y: number; height: number }

/**
 * A piece of text that pdf.js gives at one position, never only white space. `spaced`: white space is before it.
 * `order`: its index among the runs of its direction. `letterWidth`: of a fixed-width font, in points.
 * `isWrapped`: it begins another line of its cell.
 */
export type TextRun = Box & {
  text: string
  spaced: boolean
  order: number
  letterWidth?: number
  isWrapped?: boolean
}

/** The runs of a page in one text direction, rotated so that they read from left to right, in file order. */
export type DirectedRuns = { runs: TextRun[]; bottom: number; height: number }

/** Text directions are rounded to multiples of this, in degrees. */
const STEP = 5

/** A larger coordinate is damaged: PDF allows 14,400 points. */
const MAX_COORDINATE = 1e6

/** The width of a letter of a font in font sizes, if all its letters have the same. */
export type WidthOfFont = (font: string) => number | undefined

/**
 * Groups the text of a page by direction; the direction with most text is first, the others are in file order.
 * Vertical writing is read as lines that run downward, with the next line to the left. A run without finite
 * coordinates is placed after the run before it.
 *
 * @param view lower left and upper right corner of the page: x, y, x, y
 */
export function runsByDirection(
  { items, styles }: TextContent,
  view: readonly number[],
  widthOf: WidthOfFont = () => undefined,
): DirectedRuns[] {
  const directions = new Map<number, DirectedRuns & { characters: number }>()
  let spaced = false
  let previous: TextRun | undefined
  for (const item of items) {
    if (!('str' in item)) continue
    if (item.str.trim() === '') spaced = true
    else {
      const isVertical = styles[item.fontName]?.vertical === true
      const degrees = isVertical ? 270 : directionOf(item)
      const direction = directions.get(degrees) ?? { ...extentOf(degrees, view), runs: [], characters: 0 }
      directions.set(degrees, direction)
      const place = placeOf(item, isVertical, degrees, previous)
      const width = widthOf(item.fontName)
      previous = {
        text: item.str,
        spaced,
        order: direction.runs.length,
        ...place,
        ...(width === undefined ? {} : { letterWidth: width * place.height }),
      }
      direction.runs.push(previous)
      direction.characters += item.str.length
      spaced = item.hasEOL
    }
    if (item.hasEOL) spaced = true
  }
  const all = [...directions.values()]
  const main = all.toSorted((a, b) => b.characters - a.characters)[0]
  return main ? [main, ...all.filter((direction) => direction !== main)] : []
}

function directionOf({ transform }: TextItem): number {
  const [a, b] = transform as number[]
  const degrees = Math.round((Math.atan2(b!, a!) * 180) / Math.PI / STEP) * STEP
  return Number.isNaN(degrees) ? 0 : (degrees + 360) % 360
}

function placeOf(item: TextItem, isVertical: boolean, degrees: number, previous: TextRun | undefined): Box {
  const [a, b, c, d, e, f] = item.transform as [number, number, number, number, number, number]
  const [x, y] = rotated(e, f, degrees)
  const height = isVertical ? Math.hypot(a, b) : Math.hypot(c, d) || item.height
  const width = Math.abs(isVertical ? item.height : item.width)
  const isSound = [x, y, height, width].every((value) => Math.abs(value) < MAX_COORDINATE)
  if (isSound) return { x, right: x + width, y, height }
  const { right, y: line, height: size } = previous ?? { right: 0, y: 0, height: 1 }
  return { x: right, right, y: line, height: size }
}

/** Bottom and height of the page after the rotation. */
function extentOf(degrees: number, [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]) {
  const corners = [
    rotated(x0, y0, degrees),
    rotated(x0, y1, degrees),
    rotated(x1, y0, degrees),
    rotated(x1, y1, degrees),
  ]
  const heights = corners.map(([, y]) => y)
  const bottom = Math.min(...heights)
  return { bottom, height: Math.max(...heights) - bottom }
}

function rotated(x: number, y: number, degrees: number): [x: number, y: number] {
  if (degrees === 0) return [x, y]
  const angle = (degrees * Math.PI) / 180
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
  return [x * cosine + y * sine, y * cosine - x * sine]
}
