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

/**
 * Makes an embedder and a store take turns, a few texts at a time: after the first, a call of the embedder waits for a write. Without that,
 * calls in quick succession are written together, and how many writes there are depends on time.
 */
export function inTurns(embedder: Embedder, store: ChunkStore): { embedder: Embedder; store: ChunkStore } {
  let wrote = Promise.withResolvers<void>()
  let calls = 0
  return {
    embedder: {
      ...embedder,
      concurrency: 1,
      limits: { ...embedder.limits, texts: 8 },
      async embed(texts, options) {
        if (calls++ > 0) await wrote.promise
        wrote = Promise.withResolvers()
        return embedder.embed(texts, options)
      },
    },
    store: {
      ...store,
      async open(name) {
        const run = await store.open(name)
        const stage: StoreRun['stage'] = async (...given) => {
          await run.stage(...given)
          wrote.resolve()
        }
        return Object.assign(Object.create(run) as StoreRun, { stage })
      },
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
