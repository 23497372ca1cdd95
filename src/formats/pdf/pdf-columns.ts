import type { Box } from './pdf-runs.ts'

/** A segment of a line without a gap, as far as column detection needs it. `order` is its index in the file. */
export type SegmentBox = Box & { characters: number; hasWords: boolean; order: number }

/** A page with more segments is not searched for columns (fullest page of the corpus: 1,400). */
const MAX_SEGMENTS = 20_000

/** Maximum depth of recursion. */
const MAX_DEPTH = 16

/** The resolution of the search: a page is divided into this many vertical slices. */
const SLICES = 256

/** How often text must change sides of a gap, from top to bottom: two lines beside two lines give three changes. */
const MIN_CHANGES = 3

/** The most gaps that are examined in a region before it counts as one column. */
const MAX_EXAMINED = 12

/** Characters that a line of running text has at least; a cell of a table is shorter. */
const MIN_PROSE_LINE = 25

/**
 * Splits a page into regions in reading order, by a recursive XY cut (Nagy and Seth 1984) that tries vertical gaps
 * first. A gap ends above and below where a line crosses it, so that a heading over both columns separates them from
 * the text above. A gap separates columns if the text on both sides is running text, or if the file contains one side
 * after the other. Neither is true for the gaps of a table, so its rows stay whole.
 *
 * Takes O(n log n) time, with a bounded number of steps per segment.
 *
 * @param fromRight whether the page is read from right to left
 * @returns regions in reading order; the segments of each from top to bottom
 */
export function readingRegions<S extends SegmentBox>(segments: readonly S[], fromRight = false): S[][] {
  const sorted = segments.toSorted((a, b) => b.y - a.y || a.x - b.x)
  return sorted.length > MAX_SEGMENTS ? [sorted] : cut(sorted, fromRight, MAX_DEPTH)
}

function cut<S extends SegmentBox>(sorted: S[], fromRight: boolean, depth: number): S[][] {
  if (sorted.length < 3 || depth === 0) return sorted.length === 0 ? [] : [sorted]
  const again = (part: S[]) => cut(part, fromRight, depth - 1)
  const gaps = hasNeighbours(sorted) ? gapsOf(sorted) : []
  const columns = gaps
    .slice(0, MAX_EXAMINED)
    .find((gap) => isProse(leftOf(sorted, gap)) && isProse(rightOf(sorted, gap)))
  if (columns) return cutAt(sorted, columns, fromRight).flatMap(again)
  const bands = bandsOf(sorted)
  if (bands.length > 1) return bands.flatMap(again)
  const cells = gaps.slice(0, MAX_EXAMINED).find((gap) => isSequentialInFile(sorted, gap))
  return cells ? cutAt(sorted, cells, fromRight).flatMap(again) : [sorted]
}

/** Whether at least two segments are beside the segment before them. */
function hasNeighbours(sorted: readonly SegmentBox[]): boolean {
  let count = 0
  for (let index = 1; index < sorted.length && count < 2; index++) {
    const [above, below] = [sorted[index - 1]!, sorted[index]!]
    const isLevel = above.y - below.y < Math.max(above.height, below.height)
    if (isLevel && (above.right <= below.x || below.right <= above.x)) count++
  }
  return count >= 2
}

function cutAt<S extends SegmentBox>(sorted: readonly S[], gap: Gap, fromRight: boolean): S[][] {
  const sides = [leftOf(sorted, gap), rightOf(sorted, gap)]
  if (fromRight) sides.reverse()
  return [sorted.slice(0, gap.start), ...sides, sorted.slice(gap.end)]
}

/** Horizontal bands whose order in the file is their order on the page, each completely before the next. */
function bandsOf<S extends SegmentBox>(sorted: readonly S[]): S[][] {
  const firstBelow = new Float64Array(sorted.length + 1).fill(Infinity)
  for (let index = sorted.length - 1; index >= 0; index--)
    firstBelow[index] = Math.min(firstBelow[index + 1]!, sorted[index]!.order)
  const bands: S[][] = []
  let band: S[] = []
  let last = 0
  for (const [index, segment] of sorted.entries()) {
    const row = band.at(-1)
    const isBelow = row && row.y - segment.y > Math.max(row.height, segment.height) * 0.35
    if (isBelow && last < firstBelow[index]!) {
      bands.push(band)
      band = []
    }
    band.push(segment)
    last = Math.max(last, segment.order)
  }
  return [...bands, band]
}

/** White space from `x` to `right` beside the segments `start` to `end`, which change its side `changes` times. */
type Gap = { x: number; right: number; start: number; end: number; changes: number }

const isLeft = (segment: Box, gap: Gap): boolean => segment.x < gap.x

const leftOf = <S extends SegmentBox>(sorted: readonly S[], gap: Gap): S[] =>
  sorted.slice(gap.start, gap.end).filter((segment) => isLeft(segment, gap))

const rightOf = <S extends SegmentBox>(sorted: readonly S[], gap: Gap): S[] =>
  sorted.slice(gap.start, gap.end).filter((segment) => !isLeft(segment, gap))

/** The vertical gaps with text on both sides, sorted by changes of side, then by width, largest first. */
function gapsOf(sorted: readonly SegmentBox[]): Gap[] {
  let [low, high] = [Infinity, -Infinity]
  for (const { x, right } of sorted) {
    low = Math.min(low, x)
    high = Math.max(high, right)
  }
  const width = (high - low) / SLICES
  if (!(width > 0)) return []
  const gaps: Gap[] = []
  const starts = new Int32Array(SLICES)
  const changes = new Int32Array(SLICES)
  const sides = new Int8Array(SLICES)
  const close = (from: number, to: number, end: number) => {
    let last: Gap | undefined
    for (let slice = from; slice < to; slice++) {
      const start = starts[slice]!
      if (changes[slice]! >= MIN_CHANGES) {
        const right = low + (slice + 1) * width
        if (last && last.start === start && last.changes === changes[slice]) last.right = right
        else {
          last = { x: right - width, right, start, end, changes: changes[slice]! }
          gaps.push(last)
        }
      } else last = undefined
      starts[slice] = end + 1
      changes[slice] = 0
      sides[slice] = 0
    }
  }
  for (const [index, { x, right }] of sorted.entries()) {
    const from = Math.min(SLICES - 1, Math.floor((x - low) / width))
    const to = Math.min(SLICES, Math.max(from + 1, Math.ceil((right - low) / width)))
    for (let slice = 0; slice < from; slice++) {
      if (sides[slice] === LEFT) changes[slice]!++
      sides[slice] = RIGHT
    }
    for (let slice = to; slice < SLICES; slice++) {
      if (sides[slice] === RIGHT) changes[slice]!++
      sides[slice] = LEFT
    }
    close(from, to, index)
  }
  close(0, SLICES, sorted.length)
  return gaps.sort((a, b) => b.changes - a.changes || b.right - b.x - (a.right - a.x))
}

const LEFT = 1
const RIGHT = 2

/**
 * Whether most of the text is in long lines, most of these are nearly as long as the longest, and there are long lines
 * close below others.
 */
function isProse(side: readonly SegmentBox[]): boolean {
  const long = side.filter(({ characters }) => characters >= MIN_PROSE_LINE)
  if (long.length < 2 || long.length < side.length * 0.2) return false
  if (characterCount(long) < characterCount(side) / 2) return false
  if (!long.some((line, index) => index > 0 && isCloseBelow(long[index - 1]!, line))) return false
  const widths = long.map(({ x, right }) => right - x).sort((a, b) => a - b)
  const usual = widths[Math.floor(widths.length * 0.9)]!
  return widths.filter((width) => width >= usual * 0.7).length >= widths.length / 2
}

const isCloseBelow = (above: Box, line: Box): boolean =>
  above.y - line.y < Math.max(above.height, line.height) * 2.2

const characterCount = (side: readonly SegmentBox[]): number =>
  side.reduce((sum, { characters }) => sum + characters, 0)

/** Whether the file changes the side only once, both sides have two lines or more, and most lines contain words. */
function isSequentialInFile(sorted: readonly SegmentBox[], gap: Gap): boolean {
  const written = sorted.slice(gap.start, gap.end).sort((a, b) => a.order - b.order)
  let changes = 0
  for (let index = 1; index < written.length; index++)
    if (isLeft(written[index]!, gap) !== isLeft(written[index - 1]!, gap)) changes++
  return changes === 1 && [leftOf(sorted, gap), rightOf(sorted, gap)].every(isWordy)
}

const isWordy = (side: readonly SegmentBox[]): boolean =>
  side.length > 1 && side.filter(({ hasWords }) => hasWords).length > side.length / 2
