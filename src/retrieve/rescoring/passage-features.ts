import type { PassageReading } from './passage-reading.ts'
import type { RESCORING_WEIGHTS } from './rescoring-weights.ts'

/**
 * What a passage is scored by.
 *
 * - `hybrid`: its score in the ranking
 * - `keyword`: BM25 by the best BM25 of the query
 * - `sentence`: 0.4 × cosine + 0.6 × covered share of the term weights, of the best sentence
 * - `coverage`, `phrase`, `proximity`: of {@link PassageReading}
 * - `length`: the natural logarithm of 1 + the number of terms
 * - `head`: the cosine of the beginning of the source
 */
export type PassageFeatures = Record<keyof typeof RESCORING_WEIGHTS, number>

const COSINE_SHARE = 0.4

/** How many sentences of a passage are embedded: embedding takes most of the time. */
const COMPARED = 2

/** The sentences that cover most of the question, by their numbers; of several that cover as much the first ones. */
export const sentencesToCompare = ({ covered }: PassageReading): number[] =>
  [...covered.keys()].sort((one, other) => covered[other]! - covered[one]!).slice(0, COMPARED)

/** @param cosines of the question with sentences of the passage, by their numbers */
export function passageFeatures(
  scores: Pick<PassageFeatures, 'hybrid' | 'keyword' | 'head'>,
  { covered, coverage, phrase, proximity, length }: PassageReading,
  cosines: ReadonlyMap<number, number>,
): PassageFeatures {
  const fits = Array.from(
    cosines,
    ([number, cosine]) => COSINE_SHARE * cosine + (1 - COSINE_SHARE) * covered[number]!,
  )
  return {
    ...scores,
    ...{ coverage, phrase, proximity },
    sentence: Math.max(...fits),
    length: Math.log(1 + length),
  }
}
