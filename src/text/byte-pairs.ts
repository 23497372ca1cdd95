import type { Encoding } from './encodings.ts'
import { MinHeap } from './min-heap.ts'

/** A rank and a position in one number, ordered by rank and then from the left. */
const POSITIONS = 2 ** 32
const DEAD = -1

/**
 * Byte pair encoding: of all neighbours that together are a token, the pair with the lowest rank is joined, the
 * leftmost of equals, until none is left. Takes bytes as code units and returns where tokens end, in bytes; time grows
 * with n log n, so that a megabyte without a space is no attack.
 */
export function tokenEnds(bytes: string, { ranks, longest }: Encoding): number[] {
  if (bytes.length <= longest && ranks.has(bytes)) return [bytes.length]
  const ends = Int32Array.from(bytes, (_, index) => index + 1)
  const starts = Int32Array.from(ends, (end) => end - 2)
  const rankAt = new Int32Array(bytes.length).fill(DEAD)
  const pairs = new MinHeap()

  // Ranks the pair of the token at `at` and the one after it.
  function rank(at: number): void {
    const middle = ends[at]!
    const end = middle < bytes.length ? ends[middle]! : DEAD
    const found = end === DEAD || end - at > longest ? undefined : ranks.get(bytes.slice(at, end))
    rankAt[at] = found ?? DEAD
    if (found !== undefined) pairs.push(found * POSITIONS + at)
  }

  for (let at = 0; at < bytes.length; at++) rank(at)
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const at = pair % POSITIONS
    if (rankAt[at] !== Math.floor(pair / POSITIONS)) continue
    const middle = ends[at]!
    const end = ends[middle]!
    ends[at] = end
    rankAt[middle] = DEAD
    if (end < bytes.length) starts[end] = at
    rank(at)
    if (at > 0) rank(starts[at]!)
  }
  const result: number[] = []
  for (let at = 0; at < bytes.length; at = ends[at]!) result.push(ends[at]!)
  return result
}
