/*
 * Fitted by `npm run bench -- rescoring`, which prints this table; docs/decisions/2026-11-22-rescoring.md describes the
 * method and its results.
 */

/** The embedder that the weights are fitted for. */
export const RESCORED_EMBEDDER = 'built-in/sluice-static-256-v1'

/** How many of the first candidates of the hybrid order are rescored. */
export const RESCORED = 20

/** The weight of each feature; `PassageFeatures` describes them. */
export const RESCORING_WEIGHTS = {
  cosine: -1.3549,
  keyword: -2.2455,
  bestSentence: 3.9716,
  length: -0.6561,
  coverage: 1.4877,
  head: 2.193,
  source: 3.498,
  phrase: 2.1415,
  proximity: 0.3185,
  secondSentence: -1.0631,
  hybrid: 12,
}
