/** How many postings a block has. */
export const BLOCK = 128

/**
 * A list of at least `BLOCK` postings is a sequence of blocks, and of a shorter rest after them. Each begins with eight
 * bytes, the lowest byte of a number first:
 *
 *     | first passage, 4 | bits of a gap, 1 | bits of a repeat, 1 | most occurrences, 1 | least length class, 1 |
 *
 * A gap is the distance to the passage before, minus one; a repeat is how often the term occurs, minus one. In a block,
 * the gaps follow and then the repeats, as packed bits; in the rest, the same varints as in a short list. The most
 * occurrences and the least length class bound the score of every posting of the block; 255 stands for more, too.
 */
export const BLOCK_HEADER = 8

/** The header of a block, as it is read. */
export type BlockHeader = { first: number; gapBits: number; repeatBits: number; most: number; least: number }

/** How many bits the largest of the numbers has. */
export function bitsOf(numbers: Int32Array, from: number, to: number): number {
  let all = 0
  for (let at = from; at < to; at++) all |= numbers[at]!
  return 32 - Math.clz32(all)
}

/**
 * Packs `BLOCK` numbers of so many bits into words: four streams side by side, the number 4r + s being the r-th of stream
 * s, so that SIMD unpacks four at a time. The result has 4 × bits words and is overwritten by the next call.
 */
export function packBits(numbers: Int32Array, from: number, bits: number): Uint32Array {
  const words = packed.subarray(0, 4 * bits).fill(0)
  if (bits === 0) return words
  for (let at = 0; at < BLOCK; at++) {
    const number = numbers[from + at]!
    const bit = (at >> 2) * bits
    const word = ((bit >> 5) << 2) | (at & 3)
    const shift = bit & 31
    packed[word]! |= number << shift
    if (shift + bits > 32) packed[word + 4]! |= number >>> (32 - shift)
  }
  return words
}

/** Reads what `packBits` wrote, from bytes. */
export function unpackBits(bytes: Uint8Array, from: number, bits: number, into: Int32Array): void {
  if (bits === 0) {
    into.fill(0, 0, BLOCK)
    return
  }
  packedBytes.set(bytes.subarray(from, from + 16 * bits))
  const mask = bits === 32 ? -1 : (1 << bits) - 1
  for (let at = 0; at < BLOCK; at++) {
    const bit = (at >> 2) * bits
    const word = ((bit >> 5) << 2) | (at & 3)
    const shift = bit & 31
    let number = packed[word]! >>> shift
    if (shift + bits > 32) number |= packed[word + 4]! << (32 - shift)
    into[at] = number & mask
  }
}

const packed = new Uint32Array(BLOCK)
const packedBytes = new Uint8Array(packed.buffer)

export function readBlockHeader(bytes: Uint8Array, at: number): BlockHeader {
  const first = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
  return {
    ...{ first, gapBits: bytes[at + 4]!, repeatBits: bytes[at + 5]! },
    ...{ most: bytes[at + 6]!, least: bytes[at + 7]! },
  }
}
