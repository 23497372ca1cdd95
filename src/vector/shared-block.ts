import { type Block, blockAt, blockBytes, type Layout } from './blocks.ts'
import { ImageMemory } from './image-memory.ts'
import { type Kernels, kernels } from './kernels.ts'
import { type Hit, type ScanRequest, Scanner, scratchBytes } from './scanner.ts'

/** Rows of codes outside the memory of kernels. `version`: no two states of any rows have the same. */
export type LentRows = {
  codes: Uint8Array
  scales: Float32Array
  norms: Float32Array
  ids: Float64Array
  version: number
}

/** The memory of all shared blocks. They are used one after another, so they all begin at the same place. */
const memory = new ImageMemory()
let allocated = 0

/**
 * A block in which small images of one row length are encoded and scanned, one after another, by the same kernels as large ones.
 * Rows are copied in: 1,000 of 256 codes take some 10 µs, and nothing if the block has them from the last search.
 */
export class SharedBlock {
  readonly #kernels: Kernels
  readonly #block: Block
  /** The place from which a vector is encoded. */
  readonly #vector: Float32Array
  readonly #scanner: Scanner

  constructor(stride: number) {
    const scratch = scratchBytes(stride)
    const start = alignedUp(scratch + stride * 4)
    const bytes = start + blockBytes(stride)
    if (bytes > allocated) {
      memory.allocate(bytes - allocated)
      allocated = bytes
    }
    const layout: Layout = { memory: memory.memory, stride, start }
    this.#kernels = kernels(stride, memory.memory)
    this.#block = blockAt(layout, 0)
    this.#vector = new Float32Array(memory.memory.buffer, alignedUp(scratch), stride)
    this.#scanner = new Scanner(layout, 0)
  }

  /** Writes a vector of finite numbers as the codes of a slot, with its scale and norm. */
  encode(vector: Float32Array, { codes, scales, norms }: LentRows, slot: number): void {
    const { byteOffset, byteLength, length: stride } = this.#vector
    this.#vector.set(vector)
    // A longer vector of another image may have been here.
    this.#vector.fill(0, vector.length)
    const block = this.#block
    held = Number.NaN
    this.#kernels.encode(
      ...[byteOffset, byteOffset + byteLength],
      ...[block.codes.byteOffset, block.scales.byteOffset, block.norms.byteOffset],
    )
    codes.set(block.codes.subarray(0, stride), slot * stride)
    scales[slot] = block.scales[0]!
    norms[slot] = block.norms[0]!
  }

  /** The best among some slots, which are in ascending order, each once. */
  search(rows: LentRows, request: ScanRequest, slots: Int32Array): Hit[] {
    if (held !== rows.version) {
      for (const name of ['codes', 'scales', 'norms', 'ids'] as const) this.#block[name].set(rows[name])
      held = rows.version
    }
    return this.#scanner.searchSlots(request, slots)
  }
}

/** The version of the rows in the memory; NaN for none. */
let held = Number.NaN

const alignedUp = (bytes: number): number => Math.ceil(bytes / 16) * 16

const blocks = new Map<number, SharedBlock>()

/** The block for rows of so many codes. */
export function sharedBlock(stride: number): SharedBlock {
  const block = blocks.get(stride) ?? new SharedBlock(stride)
  blocks.set(stride, block)
  return block
}
