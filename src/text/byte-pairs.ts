import type { TokenEncoding } from './token-encodings.ts'
import { MinHeap } from './min-heap.ts'

/** A rank and a position in one number, ordered by rank and then from the left. */
const POSITIONS = 2 ** 32
const NONE = -1

/**
 * Byte pair encoding: of all neighbours that together are a token, the pair with the lowest rank is joined, the
 * leftmost of equals, until none is left. Takes bytes as code units and returns where tokens end, in bytes; time grows
 * with n log n, so that a megabyte without a space is no attack.
 */
export function tokenEnds(bytes: string, { ranks, longest }: TokenEncoding): number[] {
  if (bytes.length <= longest && ranks.has(bytes)) return [bytes.length]
  // Of the token at a place: where it ends, where the one before it begins, and the rank of it and the one after.
  const ends = new Int32Array(bytes.length)
  const previous = new Int32Array(bytes.length)
  const rankAt = new Int32Array(bytes.length)
  const pairs = new MinHeap()

  function rank(at: number): void {
    const middle = ends[at]!
    const end = middle < bytes.length ? ends[middle]! : NONE
    const found = end === NONE || end - at > longest ? undefined : ranks.get(bytes.slice(at, end))
    rankAt[at] = found ?? NONE
    if (found !== undefined) pairs.push(found * POSITIONS + at)
  }

  for (let at = 0; at < bytes.length; at++) {
    ends[at] = at + 1
    previous[at] = at - 1
  }
  for (let at = 0; at < bytes.length; at++) rank(at)
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const at = pair % POSITIONS
    if (rankAt[at] !== Math.floor(pair / POSITIONS)) continue
    const middle = ends[at]!
    const end = ends[middle]!
    ends[at] = end
    rankAt[middle] = NONE
    if (end < bytes.length) previous[end] = at
    rank(at)
    if (at > 0) rank(previous[at]!)
  }
  const result: number[] = []
  for (let at = 0; at < bytes.length; at = ends[at]!) result.push(ends[at]!)
  return result
}
