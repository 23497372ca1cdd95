/** The largest size of a code; -128 is not used, so that the codes of a vector and its opposite are alike. */
const LARGEST_CODE = 127

/**
 * Writes a vector as whole numbers from -largest to largest, rounded to the nearest, and answers what one of them
 * stands for and how long the vector is. Codes beyond the vector's length are zeros. A vector whose numbers are too
 * small for a float32 scale counts as zeros.
 */
export function quantise(
  vector: Float32Array,
  codes: Int8Array | Int16Array,
  largest = LARGEST_CODE,
): { scale: number; norm: number } {
  let top = 0
  let squares = 0
  for (let at = 0; at < vector.length; at++) {
    const number = vector[at]!
    const size = Math.abs(number)
    if (size > top) top = size
    squares += number * number
  }
  const scale = Math.fround(top / largest)
  codes.fill(0, vector.length)
  for (let at = 0; at < vector.length; at++)
    codes[at] = scale === 0 ? 0 : Math.max(-largest, Math.min(largest, Math.round(vector[at]! / scale)))
  return { scale, norm: scale === 0 ? 0 : Math.sqrt(squares) }
}

/** The most that a code of a query may be: int32 lanes then hold the products of `stride` columns, 4 lanes together. */
export function largestQueryCode(stride: number): number {
  return Math.min(32_767, Math.floor((2 ** 31 - 1) / (LARGEST_CODE * (stride / 4))))
}
