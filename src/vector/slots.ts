import { BLOCK_SLOTS, type Block, blockAt, blockBytes, type Layout, strideOf } from './blocks.ts'
import { IdIndex } from './id-index.ts'
import type { ImageMemory } from './image-memory.ts'
import { type Kernels, kernels } from './kernels.ts'
import { SIGN_GROUP } from './sign-kernel.ts'

/**
 * Vectors as rows of codes in numbered slots, block by block. A removed vector leaves an empty slot, which the next one
 * takes. Once this is made, nothing else may allocate from the memory.
 */
export class Slots {
  readonly layout: Layout
  readonly blocks: Block[] = []
  readonly #memory: ImageMemory
  readonly #kernels: Kernels
  /** The place from which a vector is encoded, followed by zeros up to the stride. */
  readonly #vector: Float32Array
  readonly #index = new IdIndex()
  readonly #emptied: number[] = []
  /** How many slots have ever held a vector. */
  #used = 0

  constructor(dimensions: number, memory: ImageMemory) {
    const stride = strideOf(dimensions)
    this.#memory = memory
    this.#kernels = kernels(stride, memory.memory)
    // The allocation may grow the memory, which then has another buffer: so it comes first.
    const vector = memory.allocate(stride * 4)
    this.#vector = new Float32Array(memory.memory.buffer, vector, stride)
    this.layout = { memory: memory.memory, stride, start: memory.allocate(0) }
  }

  /** How many vectors there are. */
  get size(): number {
    return this.#index.size
  }

  slotOf(id: number): number | undefined {
    return this.#index.slotOf(id)
  }

  /** NaN for an empty slot. */
  idOf(slot: number): number {
    return this.#blockOf(slot).ids[slot % BLOCK_SLOTS]!
  }

  /** Puts a vector of finite numbers in the place of the one with the same id, or else in a slot of its own. */
  put(id: number, vector: Float32Array): void {
    this.#vector.set(vector)
    this.#encode(this.#index.slotOf(id) ?? this.#takeSlot(id))
  }

  remove(id: number): boolean {
    const slot = this.#index.slotOf(id)
    if (slot === undefined) return false
    this.#index.remove(id)
    const block = this.#blockOf(slot)
    block.scales[slot % BLOCK_SLOTS] = Number.NaN
    block.ids[slot % BLOCK_SLOTS] = Number.NaN
    this.#emptied.push(slot)
    return true
  }

  #encode(slot: number): void {
    const { stride } = this.layout
    const { codes, scales, norms, signs } = this.#blockOf(slot)
    const place = slot % BLOCK_SLOTS
    const row = codes.byteOffset + place * stride
    const { byteOffset, byteLength } = this.#vector
    const end = byteOffset + byteLength
    this.#kernels.encode(byteOffset, end, row, scales.byteOffset + place * 4, norms.byteOffset + place * 4)
    const lane = place % SIGN_GROUP
    this.#kernels.takeSigns(row, row + stride, signs.byteOffset + ((place - lane) * stride) / 8 + lane)
  }

  #takeSlot(id: number): number {
    const slot = this.#emptied.pop() ?? this.#used++
    if (slot >= this.blocks.length * BLOCK_SLOTS) this.#addBlock()
    this.#blockOf(slot).ids[slot % BLOCK_SLOTS] = id
    this.#index.add(id, slot)
    return slot
  }

  #addBlock(): void {
    this.#memory.allocate(blockBytes(this.layout.stride))
    const block = blockAt(this.layout, this.blocks.length)
    block.scales.fill(Number.NaN)
    block.ids.fill(Number.NaN)
    this.blocks.push(block)
  }

  #blockOf(slot: number): Block {
    return this.blocks[Math.floor(slot / BLOCK_SLOTS)]!
  }
}
