/** How a table keeps vectors: with 16 or with 32 bits a number. */
export type VectorType = 'halfvec' | 'vector'

/** The largest number of 16 bits. */
const LARGEST_HALF = 65_504

/** Below this a number of 16 bits loses more than three decimal digits. A vector whose largest number is smaller is kept with 32. */
const SMALLEST_HALF = 2 ** -9

/** Whether 16 bits a number are enough for a vector: the error is then below a thousandth of its largest number. */
export function fitsHalf(vector: Float32Array): boolean {
  let largest = 0
  for (const number of vector) largest = Math.max(largest, Math.abs(number))
  return largest === 0 || (largest <= LARGEST_HALF && largest >= SMALLEST_HALF)
}

/** A vector in the binary form of COPY: the count, two empty bytes, the numbers. */
export function vectorBytes(type: VectorType, vector: Float32Array): Uint8Array {
  const size = type === 'halfvec' ? 2 : 4
  const bytes = new DataView(new ArrayBuffer(4 + vector.length * size))
  bytes.setUint16(0, vector.length)
  let at = 4
  for (const number of vector) {
    if (size === 2) bytes.setFloat16(at, number)
    else bytes.setFloat32(at, number)
    at += size
  }
  return new Uint8Array(bytes.buffer)
}

/** Reads the binary form of a `vector`, as `vector_send` gives it. */
export function readVector(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const vector = new Float32Array(view.getUint16(0))
  for (let at = 0; at < vector.length; at++) vector[at] = view.getFloat32(4 + at * 4)
  return vector
}

/** A vector as a text for a parameter. */
export const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`
