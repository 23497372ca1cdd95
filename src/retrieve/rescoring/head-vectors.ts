import type { Embedder } from '../../contract/embedder.ts'

/** How many are kept for an embedder: 1 MB of vectors of the built-in model. */
const KEPT = 1024

const keptOf = new WeakMap<Embedder, HeadVectors>()

/** The vectors of the heads of sources that were rescored last: most questions find the same sources again. */
export class HeadVectors {
  /** The one used longest ago first. */
  readonly #kept = new Map<string, Float32Array>()

  /** Those of an embedder. */
  static of(embedder: Embedder): HeadVectors {
    const known = keptOf.get(embedder) ?? new HeadVectors()
    keptOf.set(embedder, known)
    return known
  }

  get(head: string): Float32Array | undefined {
    const vector = this.#kept.get(head)
    if (!vector) return undefined
    this.#kept.delete(head)
    this.#kept.set(head, vector)
    return vector
  }

  /** Keeps a copy: the vectors of one call share their memory. */
  keep(head: string, vector: Float32Array): void {
    this.#kept.set(head, vector.slice())
    if (this.#kept.size <= KEPT) return
    const [oldest] = this.#kept.keys()
    this.#kept.delete(oldest!)
  }
}
