import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { sha256 } from '../../src/kit/hash.ts'

/** Texts of a source, one chunk each. */
export type SourceTexts = { source: string; texts: readonly string[] }

/** Publishes texts as chunks with equal vectors, for tests of keyword search. Each is published once in its source. */
export async function publishTexts(store: ChunkStore, sources: readonly SourceTexts[]): Promise<void> {
  const run = await store.open('none')
  const chunks = sources.flatMap(({ source, texts }) =>
    [...new Set(texts)].map((text) => ({
      source,
      hash: sha256(text),
      text,
      metadata: JSON.stringify({ source }),
      metadataHash: source,
    })),
  )
  for (let from = 0; from < chunks.length; from += 1000) {
    const batch = chunks.slice(from, from + 1000)
    await run.stage(batch, new Float32Array(batch.length).fill(1), 1)
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

/** The sources that keyword search finds, best first, each once. */
export async function sourcesByKeyword(store: ChunkStore, text: string, limit = 100): Promise<string[]> {
  const hits = await store.search({ text, limit })
  const ranked = hits.toSorted((one, other) => other.keywordScore! - one.keywordScore!)
  return [...new Set(ranked.map(({ metadata }) => String(metadata.source)))]
}
