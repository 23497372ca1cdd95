import { BLOCK_SLOTS, type Block, blockAt, blockBytes, type Layout, strideOf } from './blocks.ts'
import { IdIndex } from './id-index.ts'
import type { ImageMemory } from './image-memory.ts'
import { type Kernels, kernels } from './kernels.ts'
import { SIGN_GROUP } from './sign-kernel.ts'
import type { SmallRows } from './small-rows.ts'

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
  #watched: Set<number> | undefined

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

  /** How many slots have ever held a vector. */
  get used(): number {
    return this.#used
  }

  /** From now on the numbers of blocks that change are added to a set; undefined ends that. */
  watch(changed: Set<number> | undefined): void {
    this.#watched = changed
  }

  /** The bytes of some blocks that follow one another. */
  bytesOf(first: number, count: number): Uint8Array {
    const { memory, stride, start } = this.layout
    const bytes = blockBytes(stride)
    return new Uint8Array(memory.buffer, start + first * bytes, count * bytes)
  }

  /** Adds room for so many slots, before any vector is there. The bytes of each block are written, then adopted. */
  reserve(used: number): void {
    this.#memory.allocate(Math.ceil(used / BLOCK_SLOTS) * blockBytes(this.layout.stride))
    this.#index.reserve(used)
    this.#used = used
  }

  /** Takes over the vectors of a reserved block. */
  adopt(number: number): void {
    // Views on ten thousand blocks at once would hold up the event loop.
    this.blocks[number] = blockAt(this.layout, number)
    const { ids } = this.blocks[number]
    const first = number * BLOCK_SLOTS
    for (let place = 0; place < Math.min(BLOCK_SLOTS, this.#used - first); place++) {
      const id = ids[place]!
      if (Number.isNaN(id)) this.#emptied.push(first + place)
      else this.#index.add(id, first + place)
    }
  }

  /** Takes over the vectors of a small image, each in the slot that it has, before any vector is there. */
  takeOver({ rows, used, emptied }: SmallRows): void {
    if (used === 0) return
    this.#addBlock()
    const block = this.blocks[0]!
    for (const name of ['codes', 'scales', 'norms', 'ids'] as const) block[name].set(rows[name])
    this.#used = used
    this.#emptied.push(...emptied)
    for (let slot = 0; slot < used; slot++) {
      const id = block.ids[slot]!
      if (!Number.isNaN(id)) this.#index.add(id, slot)
      this.#takeSigns(block, slot)
    }
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
    this.#watched?.add(Math.floor(slot / BLOCK_SLOTS))
    block.scales[slot % BLOCK_SLOTS] = Number.NaN
    block.ids[slot % BLOCK_SLOTS] = Number.NaN
    this.#emptied.push(slot)
    return true
  }

  #encode(slot: number): void {
    const { stride } = this.layout
    const block = this.#blockOf(slot)
    const { codes, scales, norms } = block
    this.#watched?.add(Math.floor(slot / BLOCK_SLOTS))
    const place = slot % BLOCK_SLOTS
    const row = codes.byteOffset + place * stride
    const { byteOffset, byteLength } = this.#vector
    const end = byteOffset + byteLength
    this.#kernels.encode(byteOffset, end, row, scales.byteOffset + place * 4, norms.byteOffset + place * 4)
    this.#takeSigns(block, place)
  }

  #takeSigns({ codes, signs }: Block, place: number): void {
    const { stride } = this.layout
    const row = codes.byteOffset + place * stride
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
