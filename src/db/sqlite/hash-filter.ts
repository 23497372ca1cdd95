/** 1 MB: with a million hashes, one of twenty others is taken for one of them. */
const BITS = 2 ** 23

/** Tells of most hashes that they were not added, in a fixed size. It never tells so of one that was. */
export class HashFilter {
  readonly #words = new Uint32Array(BITS / 32)

  add(hash: string): void {
    for (const part of [0, 1]) {
      const bit = bitOf(hash, part)
      this.#words[bit >>> 5]! |= 1 << (bit & 31)
    }
  }

  /** False for a hash that was not added. */
  mayHave(hash: string): boolean {
    return this.#has(bitOf(hash, 0)) && this.#has(bitOf(hash, 1))
  }

  #has(bit: number): boolean {
    return (this.#words[bit >>> 5]! & (1 << (bit & 31))) !== 0
  }
}

/** A bit from six characters of a hash in base64url, which are random. */
function bitOf(hash: string, part: number): number {
  let bit = 0
  for (let at = 6 * part; at < 6 * part + 6; at++) bit = Math.imul(bit, 67) + hash.charCodeAt(at)
  return (bit ^ (bit >>> 15)) & (BITS - 1)
}
