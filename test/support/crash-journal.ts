import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { ChunkStore, StoreRun } from '../../src/contract/chunk-store.ts'
import type { Embedder } from '../../src/contract/embedder.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { hashEmbedder } from './hash-embedder.ts'

/** What a run has done, in order. Hashes are fingerprints of texts. */
export type Entry =
  | { event: 'embedded'; hashes: string[] }
  | { event: 'staged'; hashes: string[] }
  | { event: 'published' }

/** Writes an entry so that it outlives the process, even if that is killed right after. */
export function note(journal: string, entry: Entry): void {
  const file = openSync(journal, 'a')
  writeSync(file, `${JSON.stringify(entry)}\n`)
  fsyncSync(file)
  closeSync(file)
}

export function entriesOf(journal: string): Entry[] {
  if (!existsSync(journal)) return []
  const lines = readFileSync(journal, 'utf8').split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Entry)
}

export const STAGES = ['embed', 'stage', 'publish', 'sweep'] as const
export type BoundaryName = `${'before' | 'after'} ${(typeof STAGES)[number]}`

/** Called when a run comes to a boundary between two stages. */
export type Boundary = (name: BoundaryName) => void

/** An embedder that notes every text that it embeds, a few in a call. */
export function notingEmbedder(journal: string, boundary: Boundary = () => {}): Embedder {
  const embedder = hashEmbedder({ limits: { texts: 16, bytes: 100_000 } })
  return {
    ...embedder,
    async embed(texts, options) {
      boundary('before embed')
      note(journal, { event: 'embedded', hashes: texts.map(fingerprint) })
      const vectors = await embedder.embed(texts, options)
      boundary('after embed')
      return vectors
    },
  }
}

/** A store with runs that note what the store confirmed. */
export function notingStore(store: ChunkStore, journal: string, boundary: Boundary = () => {}): ChunkStore {
  return { ...store, open: async (embedder) => noting(await store.open(embedder), journal, boundary) }
}

function noting(run: StoreRun, journal: string, boundary: Boundary): StoreRun {
  const wrapped: Pick<StoreRun, 'stage' | 'publish' | 'sweep'> = {
    async stage(chunks, vectors, dimensions) {
      boundary('before stage')
      await run.stage(chunks, vectors, dimensions)
      const brought = chunks.filter((chunk) => chunk.text !== undefined)
      note(journal, { event: 'staged', hashes: brought.map((chunk) => chunk.hash) })
      boundary('after stage')
    },
    async publish(publication) {
      boundary('before publish')
      await run.publish(publication)
      note(journal, { event: 'published' })
      boundary('after publish')
    },
    async sweep() {
      boundary('before sweep')
      await run.sweep()
      boundary('after sweep')
    },
  }
  // Not spread: `dimensions` of a run changes.
  return Object.assign(Object.create(run) as StoreRun, wrapped)
}
