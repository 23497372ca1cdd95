/** Whether the bit of a number, from 0 on, is set. Missing bytes and null count as zeros. */
export const hasBit = (bits: Uint8Array | null, number: number): boolean =>
  bits !== null && (bits[number >> 3]! & (1 << (number & 7))) !== 0

export function setBit(bits: Uint8Array, number: number): void {
  bits[number >> 3]! |= 1 << (number & 7)
}

/** How many bits are set. */
export function countBits(bits: Uint8Array): number {
  let count = 0
  for (let byte of bits) for (; byte > 0; byte &= byte - 1) count++
  return count
}
