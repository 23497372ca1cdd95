import type { Filter } from './filter.ts'
import type { Reranker } from './reranker.ts'

/** Which sides answer: meaning, keywords, or both together. */
export const MODES = ['hybrid', 'vector', 'keyword'] as const
export type Mode = (typeof MODES)[number]

/**
 * What makes a vector close to the one that is asked: a small angle, a large dot product, a short distance. The second
 * and third heed how long vectors are; where all are of length 1, as most embedders make them, the order is the same.
 */
export const METRICS = ['cosine', 'dot', 'euclidean'] as const
export type Metric = (typeof METRICS)[number]

/** How the two sides become one order: by their scores, or by their ranks (reciprocal rank fusion). */
export const FUSIONS = ['convex', 'rrf'] as const
export type Fusion = (typeof FUSIONS)[number]

/** How the candidates of both sides become one order, best first. Plain data: an engine may rank by it itself. */
export type Ranking = {
  mode: Mode
  fusion: Fusion
  /** What the score by vector counts for, from 0 to 1; the rest goes to the keywords. */
  weight: number
  /** The least score by vector of a candidate that is kept. */
  minScore?: number | undefined
  /** The most candidates that are kept; all unless given. */
  limit?: number | undefined
}

/** The confidence below which a chunk is unlikely to answer; where all are below, nothing found seems to. */
export const UNLIKELY = 0.1

/** The best by relevance alone, or those that also differ from one another (maximal marginal relevance). */
export const SEARCH_TYPES = ['similarity', 'mmr'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

/** How a store answers unless a request says otherwise; what is left out has a default of the engine. */
export type RetrievalSettings = {
  topK: number
  searchType: SearchType
  /** MMR: how many of the best to choose from. */
  fetchK?: number
  /** MMR: 1 asks for relevance alone, 0 for difference alone. */
  lambda?: number
  mode?: Mode
  /** `cosine` unless given; where these settings say cosine, they mean the score of this metric. */
  metric?: Metric
  fusion?: Fusion
  /** What the cosine counts for, from 0 to 1; the rest goes to the keywords. */
  weight?: number
  /** The least cosine of a chunk that is given. */
  minScore?: number
  /** The cosine from which on a chunk says the same as a better one, and is left out. */
  nearDuplicates?: number
  /** Mandatory: a request can narrow it, but not replace it. */
  filter?: Filter
  reranker?: Reranker
}
