/*
 * Fitted by `node bench/confidence.ts --write`, which writes the numbers of this file, on 250 questions of each collection;
 * thresholds that another sample did not confirm were lowered by hand. docs/decisions/2026-11-22-confidence.md describes the
 * method and its results on collections that were left out.
 */

/** The embedder that the weights of the cosine are fitted for. */
export const FITTED_EMBEDDER = 'built-in/sluice-static-256-v1'

/** The mean cosine, with this embedder, of a question and the best chunks of a collection that does not answer it. */
export const UNRELATED_COSINE = 0.21

/** The bias, then a weight for each number of `featuresOf`. */
export const CONFIDENCE_WEIGHTS = {
  keyword: [-6.65, 7.43, 11.18, -3.77, 12.69, 1.15],
  vector: [-4.45, 10.15, 11.68, -8.73, 12.21, 0.36],
  both: [-6.25, 5.45, 11.55, -2.74, 13.07, 0.82, 2.44],
} satisfies Record<string, number[]>

/**
 * Where the first ten hits are all below this, probably none of them answers; 0 where that cannot be said. By script, then by
 * length (`LENGTH_CLASSES`). Of the questions with an answer, at most 2 % of each family of collections are below.
 */
export const UNLIKELY_BELOW = {
  keyword: { latin: [0, 0, 0], 'east-asian': [0, 0, 0] },
  vector: { latin: [0, 0, 0], 'east-asian': [0, 0, 0] },
  both: { latin: [0, 0.035, 0], 'east-asian': [0, 0.055, 0] },
} satisfies Record<string, Record<string, number[]>>
