import { createHash } from 'node:crypto'
import type { Embedder } from '../../src/contract/embedder.ts'

/** A vector that depends on nothing but the text; equal texts, and only they, have the cosine 1. */
export function hashVector(text: string, dimensions = 8): Float32Array {
  const bytes = createHash('shake256', { outputLength: dimensions }).update(text).digest()
  return Float32Array.from(bytes, (byte) => (byte - 127.5) / 127.5)
}

export type HashEmbedder = Embedder & {
  /** The texts of every answered call, in the order of the answers. */
  readonly calls: (readonly string[])[]
  /** All of them in one list. */
  embedded(): string[]
}

export type HashEmbedderOptions = Partial<Pick<Embedder, 'id' | 'limits' | 'concurrency'>> & {
  dimensions?: number
  /** Runs before a call is answered: it may wait, or throw. */
  before?: (texts: readonly string[], signal: AbortSignal | undefined) => unknown
}

/** An embedder without a model that records its calls. */
export function hashEmbedder(options: HashEmbedderOptions = {}): HashEmbedder {
  const { id = 'hash', dimensions = 8, concurrency = 2, before } = options
  const calls: (readonly string[])[] = []
  return {
    id,
    dimensions,
    limits: options.limits ?? { texts: 32, bytes: 100_000 },
    concurrency,
    calls,
    embedded: () => calls.flat(),
    async embed(texts, { signal } = {}) {
      await before?.(texts, signal)
      calls.push(texts)
      return texts.map((text) => hashVector(text, dimensions))
    },
    embedQuery: async (text) => hashVector(text, dimensions),
  }
}
