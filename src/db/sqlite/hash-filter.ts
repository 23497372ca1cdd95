/** The least and the largest part, in words of 32 bits: 16 KB and 64 MB. Each part has four times the words of the one before. */
const LEAST_WORDS = 2 ** 12
const LARGEST_WORDS = 2 ** 24

/**
 * How many hashes a word has in a full part, in the mean. Of 100 hashes that were not added, such a part takes one for an added one; all
 * parts together took two of 60,000 added hashes, and four of 690,000.
 */
const HASHES_PER_WORD = 2

/**
 * Tells of most hashes that they were not added, and never tells so of one that was: a Bloom filter that grows. Each hash sets
 * three bits of one word, so that a look-up waits for memory once a part.
 */
export class HashFilter {
  readonly #parts: Uint32Array[] = []
  /** How many more hashes the last part takes. */
  #room = 0

  /** Returns true if the hash was certainly not added before. */
  add(hash: string): boolean {
    const place = mixed(hash, 0)
    const bits = threeBits(mixed(hash, 6))
    if (this.#has(place, bits)) return false
    if (this.#room === 0) this.#grow()
    const last = this.#parts.at(-1)!
    last[place & (last.length - 1)]! |= bits
    this.#room--
    return true
  }

  /** False for a hash that was not added. */
  mayHave(hash: string): boolean {
    return this.#has(mixed(hash, 0), threeBits(mixed(hash, 6)))
  }

  #has(place: number, bits: number): boolean {
    for (const words of this.#parts) if ((words[place & (words.length - 1)]! & bits) === bits) return true
    return false
  }

  #grow(): void {
    const before = this.#parts.at(-1)?.length ?? LEAST_WORDS / 4
    const words = Math.min(4 * before, LARGEST_WORDS)
    this.#parts.push(new Uint32Array(words))
    this.#room = HASHES_PER_WORD * words
  }
}

/** 32 bits from six characters of a hash in base64url, which are random. */
function mixed(hash: string, from: number): number {
  let mix = 0
  for (let at = from; at < from + 6; at++) mix = Math.imul(mix, 67) + hash.charCodeAt(at)
  return mix ^ (mix >>> 15)
}

/** One to three bits of a word. */
const threeBits = (mix: number): number =>
  (1 << (mix & 31)) | (1 << ((mix >>> 5) & 31)) | (1 << ((mix >>> 10) & 31))
