import { wasmMemory } from '../kit/wasm/module.ts'

/** How many slots lie together. A slot's number is its block's place × this + its place in the block. */
export const BLOCK_SLOTS = 1024

const PAGE_BYTES = 65_536
const MEMORY_BYTES = 65_536 * PAGE_BYTES // 4 GB of addresses; what is not used yet costs nothing
const ALIGNMENT = 16

/** The vectors of {@link BLOCK_SLOTS} slots, as views on the memory that stay good while it grows. */
export type Block = {
  /** `stride` int8 a slot. */
  codes: Int8Array
  /** What a code of the slot stands for; NaN where the slot holds nothing. */
  scales: Float32Array
  norms: Float32Array
  ids: Float64Array
  /** One bit a code, made when the image is large enough to need them. */
  signs?: Uint8Array
}

/**
 * A shared memory that hands out stretches and never takes them back. It grows in place: nothing is copied, and threads
 * that were given it see the same vectors.
 */
export class BlockMemory {
  readonly memory = wasmMemory(PAGE_BYTES, MEMORY_BYTES, true)
  #free = 0

  /** Makes room for a typed array, zeroed. */
  allocate<View>(
    Kind: { new (buffer: ArrayBufferLike, offset: number, length: number): View; BYTES_PER_ELEMENT: number },
    length: number,
  ): View {
    const address = this.#free
    this.#free = Math.ceil((address + length * Kind.BYTES_PER_ELEMENT) / ALIGNMENT) * ALIGNMENT
    const missing = this.#free - this.memory.buffer.byteLength
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE_BYTES))
    return new Kind(this.memory.buffer, address, length)
  }

  /** A block whose slots hold nothing. */
  allocateBlock(stride: number): Block {
    return {
      codes: this.allocate(Int8Array, BLOCK_SLOTS * stride),
      scales: this.allocate(Float32Array, BLOCK_SLOTS).fill(Number.NaN),
      norms: this.allocate(Float32Array, BLOCK_SLOTS),
      ids: this.allocate(Float64Array, BLOCK_SLOTS).fill(Number.NaN),
    }
  }
}
