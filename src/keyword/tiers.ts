/** The size of a segment; segments are in the order of their passages. */
export type SegmentSize = { passages: number; gone: number }

/** How segments are merged: `fan` neighbours of about one size, with the smaller ones between, become one segment. */
export type MergeRule = {
  fan: number
  /** The most passages of a merge. */
  largest: number
}

/** While passages are written: rare merges, small enough for one transaction, so that other writes wait some 50 ms at most. */
export const WHILE_WRITING: MergeRule = { fan: 32, largest: 8192 }

/** Between two runs: few segments are left. Merges of more than 8,192 passages are made in steps. */
export const AT_REST: MergeRule = { fan: 8, largest: 2 ** 18 }

/**
 * The segments to merge next, as a range; undefined where none need it. Each passage is written again once for each tier,
 * and an index has less than `fan` segments for each tier besides its large ones. A segment of which a quarter is removed
 * is written again alone.
 */
export function nextMerge(
  segments: readonly SegmentSize[],
  { fan, largest }: MergeRule,
): { from: number; to: number } | undefined {
  const worn = segments.findIndex(
    (segment) => segment.gone * 4 > segment.passages && alive(segment) <= largest,
  )
  if (worn >= 0) return { from: worn, to: worn + 1 }
  for (let least = 1; least < largest / 2; least *= fan) {
    for (let from = 0, to = 0; from < segments.length; from = to + 1) {
      to = endOfSmall(segments, from, Math.min(least * fan, largest / 2))
      const count = segments.slice(from, to).filter((segment) => alive(segment) >= least).length
      // At least two fit: each has less than half of the largest.
      if (count >= fan) return { from, to: fitting(segments, from, to, largest) }
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

/** The end of the range, or an earlier one, so that it has at most `largest` passages. */
function fitting(segments: readonly SegmentSize[], from: number, to: number, largest: number): number {
  let passages = 0
  for (let at = from; at < to; at++) {
    passages += alive(segments[at]!)
    if (passages > largest) return at
  }
  return to
}

/** How many passages of a segment are not removed. */
export const alive = ({ passages, gone }: SegmentSize): number => passages - gone
