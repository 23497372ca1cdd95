/*
 * Fitted by `npm run bench -- confidence`, which prints this table, on the training half of the retrieval collections;
 * docs/decisions/2026-11-22-confidence.md describes the method and its results on the other half.
 */

/** The embedder that the weights of the cosine are fitted for. */
export const FITTED_EMBEDDER = 'built-in/sluice-static-256-v1'

/** The mean cosine, with this embedder, of a question and the best chunks of a collection that does not answer it. */
export const UNRELATED_COSINE = 0.21

/**
 * The bias, then a weight for: the value of a hit, how far it is below the best of the query, the mean of the 19 behind
 * the best; for `both` these are of the keywords, and the last weight is of the cosine.
 */
export const CONFIDENCE_WEIGHTS = {
  keyword: [-3.86, 16.36, -4.24, -15.87],
  vector: [-3.97, 16.81, -6.82, -15.14],
  both: [-4.42, 14.72, -3.69, -15.74, 2.8],
} satisfies Record<string, [number, ...number[]]>
