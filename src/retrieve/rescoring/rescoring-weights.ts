/*
 * Printed by `npm run bench -- rescoring` as "fitted on all", with BENCH_QUERIES=250, the licences of BENCH_LICENCES and chunks of
 * the Sluice Text Splitter, and rounded; docs/decisions/2026-11-22-rescoring.md describes the method,
 * docs/decisions/2026-11-26-candidates-alike.md has the results.
 */

/** The embedder that the weights are fitted for. */
export const RESCORED_EMBEDDER = 'built-in/sluice-static-256-v1'

/** How many of the first candidates of the hybrid order are rescored. */
export const RESCORED = 20

/** The weight of each feature; `PassageFeatures` describes them. That of `hybrid` is the unit of the others. */
export const RESCORING_WEIGHTS = {
  hybrid: 12,
  keyword: -3.455,
  sentence: 6.112,
  length: -0.686,
  coverage: 5.28,
  matched: -1.294,
  head: 2.316,
  sharedHead: -1.824,
  phrase: 3.112,
  proximity: 0.217,
}
