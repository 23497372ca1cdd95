import { BLOCK_SLOTS, strideOf } from './blocks.ts'
import { IdIndex } from './id-index.ts'
import type { Hit, ScanRequest } from './scanner.ts'
import { type LentRows, sharedBlock } from './shared-block.ts'

/** How many slots there is room for at first. */
const FIRST_SLOTS = 4
/** Ids of a small namespace are often far apart: each is alone in its page. */
const IDS_PER_PAGE = 16
/** Bytes of a slot besides its codes: scale, norm and id. */
const FACT_BYTES = 4 + 4 + 8

let versions = 0

/**
 * The vectors of a small image, at most {@link BLOCK_SLOTS} of them, as rows of codes in numbered slots. They take memory as they
 * come: a memory of WebAssembly for each of 10,000 namespaces takes 60 kB of each, gigabytes of addresses, and minutes to make. A removed vector
 * leaves an empty slot, which the next one takes.
 */
export class SmallRows {
  readonly #stride: number
  readonly #index = new IdIndex(IDS_PER_PAGE)
  readonly #emptied: number[] = []
  #used = 0
  #rows: LentRows

  constructor(dimensions: number) {
    this.#stride = strideOf(dimensions)
    this.#rows = emptyRows(0, this.#stride)
  }

  /** How many vectors there are. */
  get size(): number {
    return this.#index.size
  }

  /** How many slots have ever held a vector. */
  get used(): number {
    return this.#used
  }

  /** How many bytes the vectors take. */
  get bytes(): number {
    return this.#rows.codes.buffer.byteLength
  }

  /** The slots that were emptied, in the order in which they were. */
  get emptied(): readonly number[] {
    return this.#emptied
  }

  /** The rows of all slots, the empty ones among them with a scale and an id of NaN. */
  get rows(): LentRows {
    return this.#rows
  }

  /** Whether another vector needs a slot that there cannot be. */
  get isFull(): boolean {
    return this.#emptied.length === 0 && this.#used === BLOCK_SLOTS
  }

  slotOf(id: number): number | undefined {
    return this.#index.slotOf(id)
  }

  /** The slots of some ids, in ascending order; those of all unless given. */
  slotsOf(ids?: { has(id: number): boolean }): Int32Array {
    const slots = new Int32Array(this.#used)
    let count = 0
    for (let slot = 0; slot < this.#used; slot++) {
      const id = this.#rows.ids[slot]!
      if (!Number.isNaN(id) && (!ids || ids.has(id))) slots[count++] = slot
    }
    return slots.subarray(0, count)
  }

  /** Puts a vector of finite numbers in the place of the one with the same id, or else in a slot of its own. */
  put(id: number, vector: Float32Array): void {
    const slot = this.#index.slotOf(id) ?? this.#takeSlot(id)
    sharedBlock(this.#stride).encode(vector, this.#rows, slot)
    this.#rows.version = ++versions
  }

  remove(id: number): boolean {
    const slot = this.#index.slotOf(id)
    if (slot === undefined) return false
    this.#index.remove(id)
    this.#rows.scales[slot] = Number.NaN
    this.#rows.ids[slot] = Number.NaN
    this.#rows.version = ++versions
    this.#emptied.push(slot)
    return true
  }

  /** The best among some slots, which are in ascending order, each once. */
  search(request: ScanRequest, slots: Int32Array): Hit[] {
    return sharedBlock(this.#stride).search(this.#rows, request, slots)
  }

  #takeSlot(id: number): number {
    const slot = this.#emptied.pop() ?? this.#used++
    if (slot === this.#rows.ids.length) this.#grow()
    this.#rows.ids[slot] = id
    this.#index.add(id, slot)
    return slot
  }

  #grow(): void {
    const before = this.#rows
    const slots = Math.min(BLOCK_SLOTS, Math.max(FIRST_SLOTS, Math.ceil(before.ids.length * 1.5)))
    this.#rows = emptyRows(slots, this.#stride)
    for (const name of ['codes', 'scales', 'norms', 'ids'] as const) this.#rows[name].set(before[name])
  }
}

/** Rows of empty slots, in one buffer. */
function emptyRows(slots: number, stride: number): LentRows {
  const buffer = new ArrayBuffer(slots * (stride + FACT_BYTES))
  const ids = new Float64Array(buffer, 0, slots).fill(Number.NaN)
  const scales = new Float32Array(buffer, ids.byteLength, slots).fill(Number.NaN)
  const norms = new Float32Array(buffer, scales.byteOffset + scales.byteLength, slots)
  const codes = new Uint8Array(buffer, norms.byteOffset + norms.byteLength, slots * stride)
  return { codes, scales, norms, ids, version: ++versions }
}
