/**
 * Writes a vector as whole numbers from -largest to largest, rounded to the nearest. Returns the value of one step (`scale`)
 * and the Euclidean length (`norm`). Codes beyond the last number are zeros. A vector whose numbers are too small for a
 * float32 scale counts as zeros.
 */
export function quantise(
  vector: Float32Array,
  codes: Int8Array,
  largest: number,
): { scale: number; norm: number } {
  let top = 0
  let squares = 0
  for (let at = 0; at < vector.length; at++) {
    const number = vector[at]!
    top = Math.max(top, Math.abs(number))
    squares += number * number
  }
  const scale = Math.fround(top / largest)
  codes.fill(0)
  if (scale === 0) return { scale, norm: 0 }
  for (let at = 0; at < vector.length; at++)
    codes[at] = Math.max(-largest, Math.min(largest, Math.round(vector[at]! / scale)))
  return { scale, norm: Math.sqrt(squares) }
}
