import type { Filter } from './filter.ts'
import type { Reranker } from './reranker.ts'

/** Which sides a search uses: vectors, keywords, or both. */
export const MODES = ['hybrid', 'vector', 'keyword'] as const
export type Mode = (typeof MODES)[number]

/**
 * How the distance of two vectors is measured: by their angle, their dot product or their Euclidean distance. The last two
 * depend on the length of the vectors. Where all have length 1, as with most embedders, all three give the same order.
 */
export const METRICS = ['cosine', 'dot', 'euclidean'] as const
export type Metric = (typeof METRICS)[number]

/** How the two sides are combined: by their scores, or by their ranks (reciprocal rank fusion). */
export const FUSIONS = ['convex', 'rrf'] as const
export type Fusion = (typeof FUSIONS)[number]

/** How the candidates of both sides become one order, best first. Plain data, so that an engine can rank too. */
export type Ranking = {
  mode: Mode
  fusion: Fusion
  /** The weight of the vector score, 0 to 1; the rest is the weight of the keywords. */
  weight: number
  /** Candidates with a lower vector score are left out. */
  minScore?: number | undefined
  /** The most candidates that are kept; all unless given. */
  limit?: number | undefined
  /** Whether candidates bring their ranks on each side. */
  explain?: boolean | undefined
}

/** The best by relevance alone, or those that also differ from one another (maximal marginal relevance). */
export const SEARCH_TYPES = ['similarity', 'mmr'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

/** How a store answers a request that does not set it; what is left out has a default in `retrieve/`. */
export type RetrievalSettings = {
  topK: number
  searchType: SearchType
  /** MMR: how many of the best candidates it chooses from. */
  fetchK?: number
  /** MMR: 1 counts relevance alone, 0 difference alone. */
  lambda?: number
  mode?: Mode
  /** `cosine` unless given. With another metric its score takes the place of the cosine in these settings. */
  metric?: Metric
  fusion?: Fusion
  /** The weight of the cosine, 0 to 1; the rest is the weight of the keywords. */
  weight?: number
  /** Chunks with a lower cosine are left out. */
  minScore?: number
  /** A chunk with at least this cosine to a better one is left out. */
  nearDuplicates?: number
  /** Mandatory: a request can narrow it, but not replace it. */
  filter?: Filter
  /** Whether words that no chunk has are searched in another spelling too, where that is possible; true unless given. */
  spelling?: boolean
  /** Whether the first of a hybrid search are rescored, where that is possible; true unless given. */
  rescore?: boolean
  reranker?: Reranker
}
