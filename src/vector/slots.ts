import { BLOCK_SLOTS, type Block, BlockMemory } from './blocks.ts'
import { IdIndex } from './id-index.ts'
import { quantise } from './quantise.ts'
import { ROW_ALIGNMENT, type ScanKernel, scanKernel } from './scan-kernel.ts'

/**
 * Vectors as rows of int8 in numbered slots, block by block. A removed vector leaves an empty slot, which the next one
 * takes.
 */
export class Slots {
  /** Bytes of a row: the dimensions, padded. */
  readonly stride: number
  readonly memory = new BlockMemory()
  readonly kernel: ScanKernel
  readonly blocks: Block[] = []
  readonly #index = new IdIndex((slot) => this.idOf(slot))
  readonly #emptied: number[] = []
  /** How many slots have ever held a vector. */
  #used = 0
  #signs = false

  constructor(dimensions: number) {
    this.stride = Math.ceil(dimensions / ROW_ALIGNMENT) * ROW_ALIGNMENT
    this.kernel = scanKernel(this.stride, this.memory.memory)
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

  /** Puts a vector in the place of the one with the same id, or else in a slot of its own. */
  put(id: number, vector: Float32Array): void {
    const slot = this.#index.slotOf(id) ?? this.#takeSlot(id)
    const block = this.#blockOf(slot)
    const at = slot % BLOCK_SLOTS
    const codes = block.codes.subarray(at * this.stride, (at + 1) * this.stride)
    const { scale, norm } = quantise(vector, codes)
    block.scales[at] = scale
    block.norms[at] = norm
    if (block.signs) this.#takeSigns(codes, block.signs.byteOffset + (at * this.stride) / 8)
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

  /** From now on, signs are kept beside the codes. */
  keepSigns(): void {
    if (this.#signs) return
    this.#signs = true
    for (const block of this.blocks) this.#addSigns(block)
  }

  #takeSlot(id: number): number {
    const slot = this.#emptied.pop() ?? this.#used++
    if (slot >= this.blocks.length * BLOCK_SLOTS) this.#addBlock()
    this.#blockOf(slot).ids[slot % BLOCK_SLOTS] = id
    this.#index.add(id, slot)
    return slot
  }

  #addBlock(): void {
    const block = this.memory.allocateBlock(this.stride)
    if (this.#signs) this.#addSigns(block)
    this.blocks.push(block)
  }

  #addSigns(block: Block): void {
    block.signs = this.memory.allocate(Uint8Array, block.codes.length / 8)
    this.#takeSigns(block.codes, block.signs.byteOffset)
  }

  #takeSigns({ byteOffset, byteLength }: Int8Array, to: number): void {
    this.kernel.takeSigns(byteOffset, byteOffset + byteLength, to)
  }

  #blockOf(slot: number): Block {
    return this.blocks[Math.floor(slot / BLOCK_SLOTS)]!
  }
}
