/** How many slots a block has. A slot's number is its block's place × this + its place in the block. */
export const BLOCK_SLOTS = 1024

/** Rows are padded to a multiple of this many codes, so that every array of a block begins at a multiple of 16 bytes. */
const ROW_ALIGNMENT = 32

/** How many codes a vector of so many numbers has. */
export const strideOf = (dimensions: number): number => Math.ceil(dimensions / ROW_ALIGNMENT) * ROW_ALIGNMENT

/** The vectors of {@link BLOCK_SLOTS} slots, as views on the memory; they stay valid while the memory grows. */
export type Block = {
  /** `stride` a slot. */
  codes: Uint8Array
  /** One bit a code, in groups of slots. */
  signs: Uint8Array
  /** The value of one step of the slot's codes; NaN where the slot is empty. */
  scales: Float32Array
  norms: Float32Array
  /** NaN where the slot is empty. */
  ids: Float64Array
}

/** Where the vectors of an image are in memory: blocks of one length, one after another, from `start` on. */
export type Layout = { memory: WebAssembly.Memory; stride: number; start: number }

export const blockBytes = (stride: number): number => BLOCK_SLOTS * (stride + stride / 8 + 4 + 4 + 8)

/** The views on a block. */
export function blockAt({ memory, stride, start }: Layout, block: number): Block {
  const { buffer } = memory
  const codes = new Uint8Array(buffer, start + block * blockBytes(stride), BLOCK_SLOTS * stride)
  const signs = new Uint8Array(buffer, codes.byteOffset + codes.byteLength, codes.length / 8)
  const scales = new Float32Array(buffer, signs.byteOffset + signs.byteLength, BLOCK_SLOTS)
  const norms = new Float32Array(buffer, scales.byteOffset + scales.byteLength, BLOCK_SLOTS)
  const ids = new Float64Array(buffer, norms.byteOffset + norms.byteLength, BLOCK_SLOTS)
  return { codes, signs, scales, norms, ids }
}
