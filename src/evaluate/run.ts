import type { StorePart } from '../contract/card.ts'
import type { Candidate } from '../contract/chunk-store.ts'
import type { TextSplitter } from '../contract/splitter.ts'
import { MODES, type Mode } from '../contract/retrieval.ts'
import type { FlowSource } from '../flow/plan.ts'
import { type Ranking, rankCandidates } from '../retrieve/rank.ts'
import type { Retriever } from '../retrieve/run.ts'
import { type Settings, settingsOf } from '../retrieve/settings.ts'
import type { UpsertEngine } from '../upsert/engine.ts'
import { candidatesPerSide } from '../vector/fusion.ts'
import type { Collection } from './collection.ts'
import { collectionLoader } from './collection-loader.ts'
import { type Quality, QualityMeter } from './measures.ts'

/** One way to search: how good it is, and how long a query takes inside the process. */
export type ModeResult = Quality & { p50Ms: number; p99Ms: number }

export type Evaluation = Record<Mode, ModeResult> & {
  collection: string
  documents: number
  chunks: number
  queries: number
  /** What `hybrid` was measured with. */
  weight: number
  /** The best of `weights`. */
  bestWeight: number
  /** The nDCG@10 of hybrid search by what the cosine counts for, from 0 to 1. */
  weights: { weight: number; ndcg10: number }[]
}

export type EvaluationProgress = { stage: 'load' | 'ask' | 'time'; done: number; total: number }

export type EvaluationRequest = {
  /** A flow in the data directory, by slug or id; or one that came from elsewhere, whose credentials are not at hand. */
  flow: string | FlowSource
  /** The folder of the collection. */
  collection: string
  signal: AbortSignal
  onProgress(progress: EvaluationProgress): void
}

export type EvaluationWork = {
  /** The flow's, over a store that is empty; its loaders, filter and record manager are left aside. */
  part: StorePart
  splitter?: TextSplitter
  collection: Collection
  engine: UpsertEngine
  retriever: Retriever
  signal: AbortSignal
  onProgress?: (progress: EvaluationProgress) => void
}

/** How many documents each ranking is judged by; what the deepest measure looks at. */
const DEPTH = 100
const WEIGHTS = Array.from({ length: 21 }, (_, step) => step / 20)
/** How many queries are timed in each mode, and how many are asked before, so that all is warm. */
const TIMED = 500
const WARMING = 20

const LOADING = {
  strict: true,
  dryRun: false,
  confirmFullCleanup: false,
  returnSourceDocuments: false,
  addMetadata: {},
}

/**
 * Loads a collection through the upsert engine, asks its queries and judges the answers. Several chunks of a document: the
 * best one counts.
 *
 * @throws SluiceError what the upsert or a query throws
 */
export async function evaluate(work: EvaluationWork): Promise<Evaluation> {
  const part = standingAlone(work.part)
  const { collection } = work
  const { weight, fusion } = settingsOf(part, {})
  const chunks = await load(part, work)
  const judged = await ask(part, { ...work, weight, fusion })
  const times = await time(part, work)
  const modeResult = (mode: Mode): ModeResult => ({ ...judged[mode], ...times[mode] })
  return {
    collection: collection.name,
    documents: collection.documents.length,
    chunks,
    queries: collection.queries.length,
    vector: modeResult('vector'),
    keyword: modeResult('keyword'),
    hybrid: modeResult('hybrid'),
    weight,
    bestWeight: bestOf(judged.weights, weight),
    weights: judged.weights,
  }
}

/** What the flow says of its own documents does not hold for those of a collection. */
function standingAlone({ recordManager: _records, retrieval, ...part }: StorePart): StorePart {
  const { filter: _fence, minScore: _least, reranker: _reranker, mode: _mode, ...rest } = retrieval
  return { ...part, retrieval: rest }
}

/** @returns how many chunks there are */
async function load(
  part: StorePart,
  { splitter, collection, engine, signal, onProgress }: EvaluationWork,
): Promise<number> {
  const total = collection.documents.length
  const result = await engine.upsert(
    { part: { ...part, loaders: [collectionLoader(collection, splitter)] }, options: LOADING, warnings: [] },
    signal,
    ({ files }) => onProgress?.({ stage: 'load', done: files.done, total }),
  )
  await engine.idle()
  return result.totalKeys
}

/** Every query once: the candidates of both sides, ranked in every way. */
async function ask(part: StorePart, work: EvaluationWork & Pick<Settings, 'weight' | 'fusion'>) {
  const { collection, signal, onProgress } = work
  const meters = { vector: new QualityMeter(), keyword: new QualityMeter(), hybrid: new QualityMeter() }
  const byWeight = WEIGHTS.map(() => new QualityMeter())
  for (const [done, { text, judged }] of collection.queries.entries()) {
    signal.throwIfAborted()
    onProgress?.({ stage: 'ask', done, total: collection.queries.length })
    const vector = await part.embedder.embedQuery(text, { signal })
    const candidates = await part.store.search({ vector, text, limit: candidatesPerSide(DEPTH) })
    const ranked = (ranking: Ranking) => documentsOf(rankCandidates(candidates, ranking), DEPTH)
    for (const mode of MODES) meters[mode].add(ranked({ ...work, mode }), judged)
    for (const [at, weight] of WEIGHTS.entries())
      byWeight[at]!.add(ranked({ mode: 'hybrid', fusion: 'convex', weight }), judged)
  }
  return {
    vector: meters.vector.mean(),
    keyword: meters.keyword.mean(),
    hybrid: meters.hybrid.mean(),
    weights: WEIGHTS.map((weight, at) => ({ weight, ndcg10: byWeight[at]!.mean().ndcg10 })),
  }
}

/** The documents of the first chunks, each at the place of its best chunk. */
function documentsOf(ranked: readonly { candidate: Candidate }[], depth: number): string[] {
  const ids = ranked.slice(0, depth).map(({ candidate }) => String(candidate.metadata.source))
  return [...new Set(ids)]
}

/** The best weight; of several, the one closest to `current`. */
function bestOf(weights: readonly { weight: number; ndcg10: number }[], current: number): number {
  const best = Math.max(...weights.map(({ ndcg10 }) => ndcg10))
  return weights
    .filter(({ ndcg10 }) => ndcg10 === best)
    .map(({ weight }) => weight)
    .reduce((one, other) => (Math.abs(other - current) < Math.abs(one - current) ? other : one))
}

/** What a query takes in each mode, with as many chunks as the flow gives. */
async function time(part: StorePart, { collection, retriever, signal, onProgress }: EvaluationWork) {
  const asked = evenly(collection.queries, TIMED)
  const total = asked.length * MODES.length
  const timed = async (mode: Mode, before: number) => {
    const search = (text: string) => retriever.retrieve(part, [text], { mode }, signal)
    for (const { text } of asked.slice(0, WARMING)) await search(text)
    const times: number[] = []
    for (const [done, { text }] of asked.entries()) {
      onProgress?.({ stage: 'time', done: before + done, total })
      const began = performance.now()
      await search(text)
      times.push(performance.now() - began)
    }
    return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) }
  }
  return {
    vector: await timed('vector', 0),
    keyword: await timed('keyword', asked.length),
    hybrid: await timed('hybrid', 2 * asked.length),
  }
}

/** At most `limit` of a list, from all over it. */
export function evenly<T>(all: readonly T[], limit: number): T[] {
  const step = Math.max(1, all.length / limit)
  return Array.from({ length: Math.min(all.length, limit) }, (_, at) => all[Math.floor(at * step)]!)
}

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * share)]!
