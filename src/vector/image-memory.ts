import { growHeapWith } from '../kit/small-heap.ts'
import { wasmMemory } from '../kit/wasm/module.ts'

const PAGE_BYTES = 65_536
const MEMORY_BYTES = 65_536 * PAGE_BYTES // 4 GB of addresses; what is not used yet costs nothing
const ALIGNMENT = 16

/**
 * A shared memory that allocates ranges and never frees them. It grows in place: nothing is copied, and threads that have it
 * see the same vectors.
 */
export class ImageMemory {
  readonly memory = wasmMemory(PAGE_BYTES, MEMORY_BYTES, true)
  #free = 0

  /** The address of so many bytes, all zeros, at a multiple of 16. */
  allocate(bytes: number): number {
    const address = this.#free
    this.#free = Math.ceil((address + bytes) / ALIGNMENT) * ALIGNMENT
    const missing = this.#free - this.memory.buffer.byteLength
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / PAGE_BYTES))
      growHeapWith(this.memory.buffer.byteLength)
    }
    return address
  }
}
