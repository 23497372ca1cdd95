import type { StorePart } from '../contract/card.ts'
import type { Embedder } from '../contract/embedder.ts'
import type { Expected } from '../contract/expected.ts'
import type { Filter } from '../contract/filter.ts'
import type { Reranker } from '../contract/reranker.ts'
import type { Fusion, Metric, Mode } from '../contract/retrieval.ts'
import { SluiceError } from '../kit/errors.ts'
import { RESCORED_EMBEDDER } from './rescoring/rescoring-weights.ts'

/** The settings of a request; what it leaves out is set by the node of the store. */
export type RetrievalOverrides = {
  topK?: number
  mode?: Mode
  fusion?: Fusion
  weight?: number
  minScore?: number
  filter?: Filter
  /** Maximal marginal relevance; `false` switches it off, also where the node has it on. */
  mmr?: { fetchK?: number; lambda?: number } | false
  /** The least cosine of near duplicates, or whether they are left out at all. */
  nearDuplicates?: number | boolean
  /** Whether the reranker of the flow is used; true unless given. */
  rerank?: boolean
  /** Whether words that no chunk has are searched in another spelling too; true unless given. */
  spelling?: boolean
  /** Whether the first of a hybrid search are rescored; true unless given. */
  rescore?: boolean
  includeVectors?: boolean
  /** The conversation that the query belongs to: its files are found too. */
  chatId?: string
  /** The earlier questions of a conversation, the oldest first: the last of them are searched too, with less weight. */
  history?: readonly string[]
  /** Whether the best sentence of each chunk is given. */
  highlight?: boolean
  /** Whether the answer has the parts of each score. */
  explain?: boolean
  /** A chunk of which the report says what became of it, and whether it may tell of chunks of other conversations. */
  expect?: { chunks: Expected; otherConversations: boolean }
}

/** How one request is answered. */
export type QuerySettings = {
  topK: number
  mode: Mode
  metric: Metric
  fusion: Fusion
  weight: number
  /** Whether neither request nor node set the weight: {@link weightFor} then gives that of a question. */
  isDefaultWeight: boolean
  minScore: number | undefined
  filter: Filter | undefined
  mmr: { fetchK: number; lambda: number } | undefined
  nearDuplicates: number | undefined
  reranker: Reranker | undefined
  /** Whether unknown words are searched in another spelling too: wanted, and possible with this store and mode. */
  spelling: boolean
  /** Whether the first candidates are rescored: wanted, and possible with these settings. */
  rescore: boolean
  includeVectors: boolean
  highlight: boolean
  explain: boolean
}

/** Defaults where neither request nor flow sets a value. For the weight, that of the embedder comes first. */
const WEIGHT = 0.5
const FETCH_K = 20
const LAMBDA = 0.5
const NEAR_DUPLICATES = 0.98

/**
 * The request takes precedence over the node, and the node over the defaults.
 *
 * @throws SluiceError `query_invalid` for settings that exclude one another
 */
export function querySettings(
  { store, embedder, retrieval }: StorePart,
  asked: RetrievalOverrides,
): QuerySettings {
  const wanted = asked.mode ?? retrieval.mode ?? 'hybrid'
  const { keywords } = store.capabilities
  if (wanted === 'keyword' && !keywords)
    throw new SluiceError('query_invalid', { reason: 'the vector store of the flow has no keyword search' })
  const mode = keywords ? wanted : 'vector'
  const minScore = asked.minScore ?? retrieval.minScore
  if (minScore !== undefined && mode === 'keyword')
    throw new SluiceError('query_invalid', { reason: 'minScore cannot be used with mode=keyword' })
  if (asked.rerank && !retrieval.reranker)
    throw new SluiceError('query_invalid', { reason: 'no reranker is plugged into the flow' })
  const metric = retrieval.metric ?? 'cosine'
  const fusion = asked.fusion ?? retrieval.fusion ?? 'convex'
  const reranker = asked.rerank === false ? undefined : retrieval.reranker
  // The weights fit the scores of these settings only. A reranker orders the candidates anyway.
  const canRescore =
    mode === 'hybrid' &&
    fusion === 'convex' &&
    metric === 'cosine' &&
    embedder.id === RESCORED_EMBEDDER &&
    store.searchRanked !== undefined &&
    !reranker
  const canSpell = mode !== 'vector' && store.capabilities.spelling === true
  return {
    topK: asked.topK ?? retrieval.topK,
    mode,
    metric,
    fusion,
    weight: asked.weight ?? retrieval.weight ?? embedder.hybridWeight ?? WEIGHT,
    isDefaultWeight: asked.weight === undefined && retrieval.weight === undefined,
    minScore,
    filter: bothFilters(retrieval.filter, asked.filter),
    mmr: diversityOf(retrieval, asked.mmr),
    nearDuplicates: thresholdOf(asked.nearDuplicates ?? retrieval.nearDuplicates),
    reranker,
    spelling: canSpell && (asked.spelling ?? retrieval.spelling ?? true),
    rescore: canRescore && (asked.rescore ?? retrieval.rescore ?? true),
    includeVectors: asked.includeVectors ?? false,
    highlight: asked.highlight ?? false,
    explain: asked.explain ?? false,
  }
}

/** The weight of the vectors for one question: the default of an embedder can depend on the script of the question. */
export const weightFor = (
  { weight, isDefaultWeight }: Pick<QuerySettings, 'weight' | 'isDefaultWeight'>,
  embedder: Embedder,
  question: string,
): number => (isDefaultWeight ? (embedder.hybridWeightFor?.(question) ?? weight) : weight)

/** The filter of the flow is mandatory: a request can narrow it, but not replace it. */
function bothFilters(ofFlow: Filter | undefined, asked: Filter | undefined): Filter | undefined {
  return ofFlow && asked ? { op: 'and', all: [ofFlow, asked] } : (ofFlow ?? asked)
}

function diversityOf(
  retrieval: StorePart['retrieval'],
  asked: RetrievalOverrides['mmr'],
): QuerySettings['mmr'] {
  if (asked === false || (!asked && retrieval.searchType !== 'mmr')) return undefined
  const { fetchK = retrieval.fetchK ?? FETCH_K, lambda = retrieval.lambda ?? LAMBDA } = asked ?? {}
  return { fetchK, lambda }
}

function thresholdOf(wish: number | boolean | undefined): number | undefined {
  return wish === true ? NEAR_DUPLICATES : wish === false ? undefined : wish
}
