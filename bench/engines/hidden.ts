import type { ChunkStore, StoreRun } from '../../src/contract/chunk-store.ts'
import type { NewChunk } from '../../src/contract/ledger.ts'
import type { SearchRequest } from '../../src/contract/search.ts'
import { canonicalJson } from '../../src/kit/json.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { seeded } from '../support/clustered.ts'

/** The ways in which a chunk is there and no reader sees it. */
export const HIDING = ['removed', 'replaced', 'staged'] as const
export type Hiding = (typeof HIDING)[number]

const EMBEDDER = 'bench'
const DIMENSIONS = 64
const BATCH = 1024
const PER_SOURCE = 100
/** How far from the centre: the hidden ones are nearer to every question than those that readers see. */
const SPREAD = { question: 0.2, hidden: 0.4, visible: 1 }
const WORDS = 'zebra herd grazing river dust stripes lion grass rain foal night plain'.split(' ')

/** A vector at a distance from the one centre of all; of length 1. */
function vectorAt(spread: number, seed: number): Float32Array {
  const next = seeded(seed)
  const noise = Float32Array.from({ length: DIMENSIONS }, () => next())
  const scale = spread / Math.hypot(...noise)
  const vector = noise.map((one, at) => one * scale + (at === 0 ? 1 : 0))
  const length = Math.hypot(...vector)
  return vector.map((one) => one / length)
}

type Made = { chunk: NewChunk & { text: string }; vector: Float32Array }

function made(kind: 'hidden' | 'visible', number: number): Made {
  const words = Array.from({ length: 8 }, (_, at) => WORDS[(number * (at + 1) + at) % WORDS.length])
  const text = `${kind} ${number}: ${words.join(' ')}`
  const source = `${kind}-${Math.floor(number / PER_SOURCE)}.txt`
  const metadata = canonicalJson({ source, number })
  return {
    chunk: { source, text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata) },
    vector: vectorAt(SPREAD[kind], number * 7919 + (kind === 'hidden' ? 1 : 2)),
  }
}

/** A question that all hidden chunks are nearer to than all others. */
export function questionAbout(number: number, withWords: boolean): Omit<SearchRequest, 'limit'> {
  const words = [number, number + 5].map((at) => WORDS[at % WORDS.length])
  return {
    vector: vectorAt(SPREAD.question, -1 - number),
    ...(withWords ? { text: words.join(' ') } : {}),
  }
}

async function stageAll(run: StoreRun, kind: 'hidden' | 'visible', count: number): Promise<string[]> {
  const sources = new Set<string>()
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => made(kind, from + at))
    const vectors = new Float32Array(batch.length * DIMENSIONS)
    for (const [at, { vector }] of batch.entries()) vectors.set(vector, at * DIMENSIONS)
    await run.stage(
      batch.map(({ chunk }) => chunk),
      vectors,
      DIMENSIONS,
    )
    for (const { chunk } of batch) sources.add(chunk.source)
  }
  return [...sources]
}

const plain = { removedChunkIds: [], files: [], invalidatedFiles: [] }

async function load(store: ChunkStore, kind: 'hidden' | 'visible', count: number): Promise<string[]> {
  const run = await store.open(EMBEDDER)
  const sources = await stageAll(run, kind, count)
  await run.publish({ ...plain, stagedCount: count, updatedSources: sources })
  return sources
}

/** Loads what readers see. */
export const loadVisible = (store: ChunkStore, count: number): Promise<string[]> =>
  load(store, 'visible', count)

/** Writes chunks, and hides them. @param loaded called where the hidden ones are there and still seen */
export async function hide(
  store: ChunkStore,
  kind: Hiding,
  count: number,
  loaded: () => Promise<void>,
): Promise<void> {
  if (kind === 'staged') {
    // The run stays open.
    await stageAll(await store.open(EMBEDDER), 'hidden', count)
    return
  }
  const sources = await load(store, 'hidden', count)
  await loaded()
  if (kind === 'removed') {
    const restorableUntil = Date.now() + 86_400_000
    await store.remove({ sources, restorableUntil })
    return
  }
  const run = await store.open(EMBEDDER)
  const removedChunkIds: number[] = []
  for (const source of sources) for await (const ids of run.visible(source)) removedChunkIds.push(...ids)
  await run.publish({ ...plain, removedChunkIds, stagedCount: 0, updatedSources: sources })
  await run.sweep()
}
