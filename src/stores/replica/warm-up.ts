import type { Dependency } from '../../contract/dependency.ts'
import { SluiceError } from '../../kit/errors.ts'

/** So long a server waits for what is loaded, in milliseconds; then it is ready, and loads the rest. */
const LIMIT_MS = 60_000

export type WarmUpOptions = {
  /** The indexes that were asked most, in order. */
  most(count: number): Promise<number[]>
  load(indexId: number): Promise<unknown>
  /** Whether there is no more memory: another index would take the place of one that was loaded. */
  isFull(): boolean
  /** How it went, when the server is ready: `isLate` where not all are loaded. */
  noteEnd?: (facts: { loaded: number; of: number; ms: number; isLate: boolean }) => void
  limitMs?: number
}

/** Loads the indexes that were asked most after a start. Until they are loaded, or a while has passed, the server is not ready. */
export class WarmUp {
  readonly #options: WarmUpOptions
  #state: 'unused' | 'loading' | 'late' | 'done' = 'unused'
  #closed = false
  #loaded = 0
  #count = 0

  readonly dependency: Dependency = {
    name: 'warm namespaces',
    isUsed: () => this.#state !== 'unused',
    check: async () => {
      if (this.#state === 'loading')
        return new SluiceError('warming', { loaded: this.#loaded, of: this.#count })
      return this.#state === 'late' ? 'checking' : undefined
    },
  }

  constructor(options: WarmUpOptions) {
    this.#options = options
  }

  /** Resolves when all are loaded, also those that could not be. */
  ended: Promise<void> = Promise.resolve()

  /** Begins to load so many indexes. Resolves when it is known which. */
  async start(count: number): Promise<void> {
    if (count === 0) return
    const indexes = await this.#options.most(count).catch(() => [])
    if (indexes.length === 0 || this.#closed) return
    this.#state = 'loading'
    this.#count = indexes.length
    this.ended = this.#loadAll(indexes)
  }

  close(): void {
    this.#closed = true
  }

  async #loadAll(indexes: readonly number[]): Promise<void> {
    const { limitMs = LIMIT_MS, noteEnd = () => {} } = this.#options
    const begun = performance.now()
    const note = (isLate: boolean) => {
      const ms = Math.round(performance.now() - begun)
      if (!this.#closed) noteEnd({ loaded: this.#loaded, of: this.#count, ms, isLate })
    }
    const timer = setTimeout(() => {
      this.#state = 'late'
      note(true)
    }, limitMs).unref()
    for (const indexId of indexes) await this.#load(indexId)
    clearTimeout(timer)
    if (!this.#isLate()) note(false)
    this.#state = 'done'
  }

  /** The first question loads what cannot be loaded now. */
  async #load(indexId: number): Promise<void> {
    const { load, isFull } = this.#options
    if (this.#closed || isFull()) return
    try {
      await load(indexId)
      this.#loaded++
    } catch {
      // A failure has been noted where it was found.
    }
  }

  #isLate(): boolean {
    return this.#state === 'late'
  }
}
