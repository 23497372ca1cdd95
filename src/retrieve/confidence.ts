import type { SideScores } from '../contract/search.ts'
import { CONFIDENCE_WEIGHTS, FITTED_EMBEDDER, UNRELATED_COSINE } from './confidence-weights.ts'
import type { QuerySettings } from './settings.ts'

/** What an estimate is computed from: BM25, the cosine, or both. */
export type ConfidenceBasis = 'keyword' | 'vector' | 'both'

/** The probability, 0 to 1, that a candidate answers the question; null where there is nothing to estimate it from. */
export type Confidence = (candidate: SideScores) => number | null

/** How many of the best hits of a side are compared: an answer has a much higher score than the hits after it. */
export const BACKGROUND_HITS = 20

/**
 * What an estimate can use with these settings; undefined for nothing. A cosine depends on its embedder, and the weights
 * were fitted with the built-in one: with another one only the keywords count, and in vector mode nothing.
 */
export function basisOf(
  { mode, metric }: Pick<QuerySettings, 'mode' | 'metric'>,
  embedder: string,
): ConfidenceBasis | undefined {
  const fitted = embedder === FITTED_EMBEDDER && metric === 'cosine'
  if (mode === 'hybrid') return fitted ? 'both' : 'keyword'
  if (mode === 'vector') return fitted ? 'vector' : undefined
  return 'keyword'
}

/**
 * Estimates, for the candidates of one query, how likely each answers it: a logistic regression over
 * {@link featuresOf}. It depends neither on `topK` nor on the order of the candidates.
 */
export function confidenceAmong(
  found: readonly SideScores[],
  basis: ConfidenceBasis | undefined,
): Confidence {
  if (basis === undefined) return () => null
  const features = featuresOf(found, basis)
  const [bias, ...weights] = CONFIDENCE_WEIGHTS[basis]
  return (candidate) => {
    const values = features(candidate)
    return values && logistic(values.reduce((sum, value, at) => sum + value * weights[at]!, bias))
  }
}

export const logistic = (log: number): number => 1 / (1 + Math.exp(-log))

/**
 * The features of a candidate among the candidates of one query: the value of a side, how far it is below the best of the
 * query, and the mean of those behind the best. With both sides: those of the keywords, and the cosine.
 */
export function featuresOf(
  found: readonly SideScores[],
  basis: ConfidenceBasis,
): (candidate: SideScores) => number[] | null {
  const side = basis === 'vector' ? 'vectorScore' : 'matched'
  const values = found.map((one) => one[side] ?? 0).toSorted((one, other) => other - one)
  const [best = 0, ...behind] = values.slice(0, BACKGROUND_HITS)
  // Where there are fewer, the missing ones count as unrelated: they match no word.
  const missing = (BACKGROUND_HITS - 1 - behind.length) * (basis === 'vector' ? UNRELATED_COSINE : 0)
  const background = (behind.reduce((sum, value) => sum + value, 0) + missing) / (BACKGROUND_HITS - 1)
  return (candidate) => {
    const value = candidate[side] ?? (basis === 'both' ? 0 : null)
    if (value === null) return null
    return [value, best - value, background, ...(basis === 'both' ? [candidate.vectorScore ?? 0] : [])]
  }
}
