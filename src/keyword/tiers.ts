/** The size of a segment; segments are in the order of their passages. */
export type SegmentSize = { passages: number; gone: number }

/** The most passages of a merge, so that other writes wait some 50 ms at most. */
export const LARGEST = 8192

/** This many neighbours of about one size, with the smaller ones between, become one segment. */
const FAN = 32

/**
 * The segments to merge next, as a range; undefined where none need it. Each passage is written again once for each tier,
 * and an index has a few segments for each tier besides its large ones. A segment of which a quarter is removed is written
 * again alone.
 */
export function nextMerge(segments: readonly SegmentSize[]): { from: number; to: number } | undefined {
  const worn = segments.findIndex(({ passages, gone }) => gone * 4 > passages)
  if (worn >= 0) return { from: worn, to: worn + 1 }
  for (let least = 1; least < LARGEST / 2; least *= FAN) {
    for (let from = 0; from < segments.length; from++) {
      const to = endOfSmall(segments, from, Math.min(least * FAN, LARGEST / 2))
      const count = segments.slice(from, to).filter((segment) => alive(segment) >= least).length
      if (count >= FAN) return { from, to: fitting(segments, from, to) }
      from = Math.max(from, to)
    }
  }
  return undefined
}

/** The end of the range of segments, from `from` on, that are all smaller than a size. */
function endOfSmall(segments: readonly SegmentSize[], from: number, size: number): number {
  let to = from
  while (to < segments.length && alive(segments[to]!) < size) to++
  return to
}

/** The end of the range, or an earlier one, so that it has at most `LARGEST` passages. */
function fitting(segments: readonly SegmentSize[], from: number, to: number): number {
  let passages = 0
  for (let at = from; at < to; at++) {
    passages += alive(segments[at]!)
    if (passages > LARGEST) return at
  }
  return to
}

const alive = ({ passages, gone }: SegmentSize): number => passages - gone
