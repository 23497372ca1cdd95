import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { fingerprint } from '../../src/kit/hash.ts'

/** A chunk with its vector; all vectors of a store have the same length. */
export type TestChunk = {
  source: string
  text: string
  metadata: Readonly<Record<string, unknown>>
  vector: ArrayLike<number>
}

/** Publishes chunks in one run, with vectors of `embedder`. A text is given once in its source. */
export async function publishChunks(
  store: ChunkStore,
  embedder: string,
  chunks: readonly TestChunk[],
): Promise<void> {
  const run = await store.open(embedder)
  for (let from = 0; from < chunks.length; from += 1000) {
    const batch = chunks.slice(from, from + 1000)
    const dimensions = batch[0]!.vector.length
    const vectors = new Float32Array(batch.length * dimensions)
    for (const [at, { vector }] of batch.entries()) vectors.set(vector, at * dimensions)
    const staged = batch.map(({ source, text, metadata: given }) => {
      const metadata = JSON.stringify(given)
      return { source, text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata) }
    })
    await run.stage(staged, vectors, dimensions)
  }
  await run.publish({
    stagedCount: chunks.length,
    removedChunkIds: [],
    files: [],
    updatedSources: [],
    invalidatedFiles: [],
  })
  await run.sweep()
}
