/** How long the answer of a write should take, in milliseconds: long enough that calls cost little, short enough to share a server. */
const AIM_MS = 500
/** Both products recommend some megabytes for a bulk, and refuse 100 MB. */
const BYTES = { least: 256 * 2 ** 10, first: 4 * 2 ** 20, most: 16 * 2 ** 20 }
/** The most that one answer changes. */
const STEP = { down: 0.5, up: 1.5 }

/** How large a batch may be: as large as the server answers in time. `answered` is told of each batch. */
export type BatchSize = { readonly bytes: number; answered(batch: { bytes: number; ms: number }): void }

export function batchSize(): BatchSize {
  let size = BYTES.first
  return {
    get bytes() {
      return size
    },
    answered({ bytes, ms }) {
      const step = Math.min(STEP.up, Math.max(STEP.down, AIM_MS / Math.max(1, ms)))
      // That a small batch was quick says nothing of a large one.
      if (step > 1 && bytes < size / 2) return
      size = Math.round(Math.min(BYTES.most, Math.max(BYTES.least, size * step)))
    },
  }
}
