import type { Embedder } from '../../contract/embedder.ts'
import { HeadVectors } from './head-vectors.ts'

/** The cosines of texts with a question, of vectors of length 1; each text is embedded once. */
export class QuestionCosines {
  readonly #vector: Float32Array
  readonly #embedder: Embedder
  readonly #signal: AbortSignal | undefined
  readonly #cosines = new Map<string, number>()

  /** @param vector of the question */
  constructor(vector: Float32Array, embedder: Embedder, signal?: AbortSignal) {
    this.#vector = vector
    this.#embedder = embedder
    this.#signal = signal
  }

  /** Embeds texts in one call. Vectors of heads are kept for the next questions. */
  async add(texts: readonly string[], heads: readonly string[] = []): Promise<void> {
    const kept = HeadVectors.of(this.#embedder)
    const ofHeads = new Set(heads)
    for (const head of ofHeads) this.#take(head, kept.get(head))
    const missing = [...new Set([...ofHeads, ...texts])].filter((text) => !this.#cosines.has(text))
    if (missing.length === 0) return
    const options = { urgent: true, ...(this.#signal ? { signal: this.#signal } : {}) }
    const vectors = await this.#embedder.embed(missing, options)
    for (const [at, text] of missing.entries()) {
      this.#take(text, vectors[at])
      if (ofHeads.has(text)) kept.keep(text, vectors[at]!)
    }
  }

  /** The cosine of a text that was added; 0 where its vector has zeros only. */
  of(text: string): number {
    return this.#cosines.get(text)!
  }

  #take(text: string, vector: Float32Array | undefined): void {
    if (!vector) return
    let sum = 0
    for (let at = 0; at < vector.length; at++) sum += vector[at]! * this.#vector[at]!
    this.#cosines.set(text, sum)
  }
}
