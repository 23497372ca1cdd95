import type { AskedIndexes } from '../../db/postgres/asked-indexes.ts'

/** How often counts are stored, in milliseconds. */
const EVERY_MS = 30_000

/** Counts the questions of this member by index, and stores them together with those of others. */
export class AskedCounts {
  readonly #asked: AskedIndexes
  readonly #everyMs: number
  #counts = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(asked: AskedIndexes, everyMs = EVERY_MS) {
    this.#asked = asked
    this.#everyMs = everyMs
  }

  note(indexId: number): void {
    this.#counts.set(indexId, (this.#counts.get(indexId) ?? 0) + 1)
    this.#timer ??= setTimeout(() => void this.store(), this.#everyMs).unref()
  }

  /** Stores what was counted. Counts that cannot be stored are lost. */
  async store(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const counts = this.#counts
    this.#counts = new Map()
    if (counts.size > 0) await this.#asked.note(counts).catch(() => {})
  }
}
