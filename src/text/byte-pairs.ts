import type { TokenEncoding } from './token-encodings.ts'
import { MinHeap } from './min-heap.ts'

/**
 * A rank and a position are packed into one number, rank × 2^32 + position, so that it sorts by rank and then from
 * the left.
 */
const POSITIONS = 2 ** 32
const NONE = -1

/**
 * Byte pair encoding: joins the neighbouring pair with the lowest rank, the leftmost of equal ones, until no pair is
 * a token. Takes O(n log n) time, so that a megabyte without a space is not an attack.
 *
 * @param bytes one byte per code unit
 * @returns where tokens end, in bytes
 */
export function tokenEnds(bytes: string, { ranks, longest }: TokenEncoding): number[] {
  if (bytes.length <= longest && ranks.has(bytes)) return [bytes.length]
  // For the token that begins at an index: its end, the start of the token before it, and the rank of the pair with
  // the token after it.
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
