/** Ten bits and seven probes a term: of the terms that are not in the filter, 0.8 % pass. */
const BITS = 10
const PROBES = 7

/** A Bloom filter of fingerprints of terms, in bytes: ten bits for each term. */
export function encodeTermFilter(terms: Float64Array): Uint8Array {
  const filter = new Uint8Array(Math.ceil((terms.length * BITS) / 8))
  const bits = filter.length * 8
  for (const term of terms) {
    let step = stepOf(term)
    let hash = startOf(term)
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = placeOf(hash, bits)
      filter[bit >> 3]! |= 1 << (bit & 7)
      step += probe
      hash = (hash + step) | 0
    }
  }
  return filter
}

/** Whether a term may be among those of the filter. True for each of them, and for 0.8 % of all others. */
export function mayHaveTerm(filter: Uint8Array, term: number): boolean {
  const bits = filter.length * 8
  let step = stepOf(term)
  let hash = startOf(term)
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = placeOf(hash, bits)
    if ((filter[bit >> 3]! & (1 << (bit & 7))) === 0) return false
    step += probe
    hash = (hash + step) | 0
  }
  return true
}

/** A hash as a place among so many bits; without a division. */
const placeOf = (hash: number, bits: number): number => ((hash >>> 0) * (bits / 2 ** 32)) | 0

const startOf = (term: number): number => mix(term ^ Math.imul((term / 2 ** 32) | 0, 0x9e3779b1))
const stepOf = (term: number): number => mix(Math.imul(term | 0, 0x9e3779b1) + ((term / 2 ** 32) | 0)) | 1

/** The last steps of MurmurHash3. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
