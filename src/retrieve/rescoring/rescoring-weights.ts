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
  keyword: -2.719,
  sentence: 4.057,
  length: -0.874,
  coverage: 1.798,
  matched: -0.595,
  head: 2.122,
  sharedHead: -1.806,
  phrase: 2.879,
  proximity: 0.333,
}
