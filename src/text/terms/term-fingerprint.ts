/**
 * A 48-bit hash of the code points of a term; the text index stores nothing else of a term. Among a million terms,
 * the probability that any two are equal is about 1 in 600, and the only effect is an additional passage in a result.
 */
export function termFingerprint(codes: Uint32Array, from: number, to: number): number {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (let at = from; at < to; at++) {
    const code = codes[at]!
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 15
  }
  return mix(high ^ low) * 0x10000 + (mix(low + 0x3c6ef372) & 0xffff)
}

/** Spreads every bit over all 32. (The last step of MurmurHash3.) */
function mix(number: number): number {
  let n = number
  n = Math.imul(n ^ (n >>> 16), 0x85ebca6b)
  n = Math.imul(n ^ (n >>> 13), 0xc2b2ae35)
  return (n ^ (n >>> 16)) >>> 0
}
