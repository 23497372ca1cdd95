import type { Metric } from '../contract/retrieval.ts'

/**
 * The score of two vectors of one length, summed in float64: the cosine of their angle, their dot product, or minus
 * their distance. The cosine is NaN where one of them is all zeros.
 */
export function exactScore(metric: Metric, query: Float32Array, vector: Float32Array): number {
  let dot = 0
  let querySquares = 0
  let vectorSquares = 0
  let differenceSquares = 0
  for (let at = 0; at < query.length; at++) {
    const left = query[at]!
    const right = vector[at]!
    dot += left * right
    querySquares += left * left
    vectorSquares += right * right
    differenceSquares += (left - right) ** 2
  }
  if (metric === 'dot') return dot
  if (metric === 'euclidean') return -Math.sqrt(differenceSquares)
  return dot / Math.sqrt(querySquares * vectorSquares)
}

/**
 * How close two vectors are, as answers give it: the cosine, from -1 to 1; the dot product; or 1 / (1 + distance), from 0 to
 * 1. Null where there is no cosine.
 */
export function closeness(metric: Metric, query: Float32Array, vector: Float32Array): number | null {
  const score = exactScore(metric, query, vector)
  if (metric === 'euclidean') return 1 / (1 - score)
  return Number.isNaN(score) ? null : score
}
