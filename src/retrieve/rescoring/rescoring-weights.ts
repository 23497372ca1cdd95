/*
 * Fitted by `npm run bench -- rescoring`, which prints this table; docs/decisions/2026-11-22-rescoring.md describes the
 * method and its results.
 */

/** The embedder that the weights are fitted for. */
export const RESCORED_EMBEDDER = 'built-in/sluice-static-256-v1'

/** How many of the first candidates of the hybrid order are rescored. */
export const RESCORED = 20

/** The weight of each feature; `PassageFeatures` describes them. That of `hybrid` is the unit of the others. */
export const RESCORING_WEIGHTS = {
  hybrid: 12,
  keyword: -2.92,
  sentence: 3.526,
  length: -0.581,
  coverage: 2.597,
  matched: -0.891,
  head: 2.448,
  sharedHead: -1.449,
  phrase: 2.713,
  proximity: 0.129,
}
