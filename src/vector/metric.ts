/** How close two vectors are. Scores of every metric are larger for closer vectors. */
export const METRICS = ['cosine', 'dot', 'euclidean'] as const
export type Metric = (typeof METRICS)[number]

/**
 * The score of two vectors of one length, summed in float64: the cosine of their angle, their dot product, or minus
 * their distance. Cosine is NaN where one of them is all zeros: such a vector is close to nothing.
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
