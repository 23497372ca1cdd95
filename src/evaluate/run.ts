import type { StorePart } from '../contract/card.ts'
import type { TextSplitter } from '../contract/splitter.ts'
import type { Mode } from '../contract/retrieval.ts'
import type { FlowSource } from '../flow/apply-request.ts'
import type { Retriever } from '../retrieve/run.ts'
import { querySettings } from '../retrieve/settings.ts'
import type { UpsertEngine } from '../upsert/engine.ts'
import type { Collection } from './collection.ts'
import { collectionLoader } from './collection-loader.ts'
import { bestWeightOf, measureRankings, type RankingQuality } from './ranking-quality.ts'
import type { Quality } from './measures.ts'
import type { Reliability } from './reliability.ts'
import { type QueryTimes, timeQueries } from './timing.ts'

/** One way to search: how good it is, and how long a query takes inside the process. */
export type ModeResult = Quality & QueryTimes & { reliability?: Reliability }

export type Evaluation = Record<Mode, ModeResult> & {
  collection: string
  documents: number
  chunks: number
  queries: number
  /** `hybrid` without rescoring; absent where the flow does not rescore. */
  withoutRescoring?: Quality
  /** The weight of the vectors with which `hybrid` was measured, 0 to 1; by default another one in some scripts. */
  weight: number
  /** The best of `weights`, without rescoring. */
  bestWeight: number
  weights: RankingQuality['weights']
}

export type EvaluationProgress = { stage: 'load' | 'ask' | 'time'; done: number; total: number }

export type EvaluationRequest = {
  /** A flow of the data directory, by slug or id; or another one, without its credentials. */
  flow: string | FlowSource
  /** The folder of the collection. */
  collection: string
  signal: AbortSignal
  onProgress(progress: EvaluationProgress): void
}

export type EvaluationWork = {
  /** The store part of the flow over an empty store; its loaders, filter and record manager are not used. */
  part: StorePart
  splitter?: TextSplitter
  collection: Collection
  engine: UpsertEngine
  retriever: Retriever
  signal: AbortSignal
  onProgress?: (progress: EvaluationProgress) => void
}

const LOADING = {
  strict: true,
  dryRun: false,
  confirmFullCleanup: false,
  returnSourceDocuments: false,
  addMetadata: {},
}

/**
 * Loads a collection through the upsert engine, runs its queries and measures the answers. Of several chunks of
 * a document the best one counts.
 *
 * @throws SluiceError what the upsert or a query throws
 */
export async function evaluate(work: EvaluationWork): Promise<Evaluation> {
  const { collection, retriever, signal, onProgress } = work
  const { queries } = collection
  const part = withoutFlowSettings(work.part)
  const settings = querySettings(part, {})
  const chunks = await loadCollection(part, work)
  const { modes, withoutRescoring, reliability, weights } = await measureRankings(part, queries, settings, {
    signal,
    onQuery: (done) => onProgress?.({ stage: 'ask', done, total: queries.length }),
  })
  const times = await timeQueries(
    queries,
    ({ text, history }, mode) =>
      retriever.retrieve(part, [text], { mode, ...(history ? { history } : {}) }, signal),
    (done, total) => onProgress?.({ stage: 'time', done, total }),
  )
  return {
    collection: collection.name,
    documents: collection.documents.length,
    chunks,
    queries: queries.length,
    ...{ vector: resultOf('vector'), keyword: resultOf('keyword'), hybrid: resultOf('hybrid') },
    ...(withoutRescoring ? { withoutRescoring } : {}),
    weight: settings.weight,
    bestWeight: bestWeightOf(weights, settings.weight),
    weights,
  }

  function resultOf(mode: Mode): ModeResult {
    const known = reliability[mode]
    return { ...modes[mode], ...times[mode], ...(known ? { reliability: known } : {}) }
  }
}

/** A store part without the settings that only fit the documents of the flow: record manager, filter, reranker and others. */
function withoutFlowSettings({ recordManager: _records, retrieval, ...part }: StorePart): StorePart {
  const { filter: _mandatoryFilter, minScore: _least, reranker: _reranker, mode: _mode, ...rest } = retrieval
  return { ...part, retrieval: rest }
}

/** Loads a collection into a store; returns how many chunks it has. @throws SluiceError what the upsert throws */
export async function loadCollection(
  part: StorePart,
  {
    splitter,
    collection,
    engine,
    signal,
    onProgress,
  }: Pick<EvaluationWork, 'splitter' | 'collection' | 'engine' | 'signal' | 'onProgress'>,
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
