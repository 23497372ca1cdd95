/** Bytes as float32 numbers, copied where their offset is not a multiple of four. */
export function floats(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes)
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
}
