import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { publishChunks } from './publish-chunks.ts'

/** Texts of a source, one chunk each. */
export type SourceTexts = { source: string; texts: readonly string[] }

/** Publishes texts as chunks with equal vectors, for tests of keyword search. Each is published once in its source. */
export async function publishTexts(store: ChunkStore, sources: readonly SourceTexts[]): Promise<void> {
  const chunks = sources.flatMap(({ source, texts }) =>
    [...new Set(texts)].map((text) => ({ source, text, metadata: { source }, vector: [1] })),
  )
  await publishChunks(store, 'none', chunks)
}

/** The sources that keyword search finds, best first, each once. */
export async function sourcesByKeyword(store: ChunkStore, text: string, limit = 100): Promise<string[]> {
  const hits = await store.search({ text, limit })
  const ranked = hits.toSorted((one, other) => other.keywordScore! - one.keywordScore!)
  return [...new Set(ranked.map(({ metadata }) => String(metadata.source)))]
}
