/** Words of 32 random bits, the same ones for the same seed. (xorshift of Marsaglia, 2003, after one step of a multiplicative hash.) */
export function randomBits(seed: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
