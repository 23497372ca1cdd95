import { BLOCK, BLOCK_HEADER, readBlockHeader, unpackBits } from './block.ts'
import { eachInRest, type Postings } from './page.ts'

const gaps = new Int32Array(BLOCK)

/**
 * How many of some passages have a term. Blocks of the list without any of them are skipped.
 *
 * @param numbers of the passages in their segment, in ascending order
 */
export function countAmong({ bytes, count }: Postings, numbers: Uint32Array): number {
  let [found, place, at, left] = [0, 0, 0, count]
  const meet = (passage: number) => {
    while (numbers[place]! < passage) place++
    if (numbers[place] === passage) found++
  }
  for (; count >= BLOCK && left >= BLOCK && place < numbers.length; left -= BLOCK) {
    const { first, gapBits, repeatBits } = readBlockHeader(bytes, at)
    at += BLOCK_HEADER
    const end = at + 16 * (gapBits + repeatBits)
    while (numbers[place]! < first) place++
    // Another block or the rest follows, and both begin with their first passage.
    const isLast = left === BLOCK
    if (isLast || numbers[place]! < readBlockHeader(bytes, end).first) {
      unpackBits(bytes, at, gapBits, gaps)
      for (let passage = first - 1, gap = 0; gap < BLOCK; gap++) {
        passage += gaps[gap]! + 1
        meet(passage)
      }
    }
    at = end
  }
  if (place < numbers.length) eachInRest({ bytes, count }, { at, left }, meet)
  return found
}
