/*
 * Fitted by `node bench/confidence.ts --write`, which writes the numbers of this file;
 * docs/decisions/2026-11-22-confidence.md describes the method and its results on collections that were left out.
 */

/** The embedder that the weights of the cosine are fitted for. */
export const FITTED_EMBEDDER = 'built-in/sluice-static-256-v1'

/** The mean cosine, with this embedder, of a question and the best chunks of a collection that does not answer it. */
export const UNRELATED_COSINE = 0.21

/** The bias, then a weight for each number of `featuresOf`. */
export const CONFIDENCE_WEIGHTS = {
  keyword: [-6.89, 7.4, 11.86, -3.63, 13.67, 1.21],
  vector: [-4.72, 9.56, 12.93, -7.91, 13.81, 0.44],
  both: [-6.34, 5.06, 12.6, -2.54, 14.38, 0.8, 2.81],
} satisfies Record<string, number[]>

/**
 * Where the first ten hits are all below this, probably none of them answers; 0 where that cannot be said. By script, then by
 * length (`LENGTH_CLASSES`). Of the questions with an answer, at most 2 % of each family of collections are below.
 */
export const UNLIKELY_BELOW = {
  keyword: { latin: [0, 0, 0], 'east-asian': [0.03, 0.07, 0] },
  vector: { latin: [0, 0, 0], 'east-asian': [0, 0.06, 0] },
  both: { latin: [0, 0.035, 0], 'east-asian': [0.035, 0.085, 0] },
} satisfies Record<string, Record<string, number[]>>
