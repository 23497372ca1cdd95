import type { PassageReading } from './passage-reading.ts'
import type { RESCORING_WEIGHTS } from './rescoring-weights.ts'

/**
 * What a passage is scored by. Cosines are those with the vector of the question.
 *
 * - `cosine`: of the passage
 * - `keyword`: BM25 by the best BM25 of the query
 * - `hybrid`: both of them by the weight of the search
 * - `bestSentence`, `secondSentence`: 0.4 × cosine + 0.6 × covered share of the term weights
 * - `coverage`, `phrase`, `proximity`: of {@link PassageReading}
 * - `length`: the natural logarithm of 1 + the number of terms
 * - `head`: the cosine of the first characters of the source
 * - `source`: the cosine of the sum of the vectors of the source
 */
export type PassageFeatures = Record<keyof typeof RESCORING_WEIGHTS, number>

const COSINE_SHARE = 0.4

/** What is known of a passage before it is read. */
export type PassageScores = Pick<PassageFeatures, 'cosine' | 'keyword' | 'hybrid' | 'head' | 'source'>

/** @param cosines those of the sentences of the reading, in order */
export function passageFeatures(
  scores: PassageScores,
  reading: PassageReading,
  cosines: ArrayLike<number>,
): PassageFeatures {
  let [best, second] = [-1, -1]
  for (const [at, covered] of reading.covered.entries()) {
    const both = COSINE_SHARE * cosines[at]! + (1 - COSINE_SHARE) * covered
    if (both > best) {
      second = best
      best = both
    } else if (both > second) second = both
  }
  const { coverage, phrase, proximity } = reading
  return {
    ...scores,
    ...{ coverage, phrase, proximity },
    bestSentence: best,
    secondSentence: second < 0 ? best / 2 : second,
    length: Math.log(1 + reading.length),
  }
}
