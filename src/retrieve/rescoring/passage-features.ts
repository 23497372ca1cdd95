import type { PassageReading } from './passage-reading.ts'
import type { RESCORING_WEIGHTS } from './rescoring-weights.ts'

/**
 * What a passage is scored by.
 *
 * - `hybrid`: its score in the ranking
 * - `keyword`: BM25 by the best BM25 of the query
 * - `sentence`: 0.4 × cosine + 0.6 × covered share of the term weights, of the best sentence; × {@link distinctnessOf} the
 *   candidates
 * - `coverage`, `matched`: of {@link PassageReading}; × the same
 * - `phrase`, `proximity`: of {@link PassageReading}
 * - `length`: the natural logarithm of 1 + the number of terms
 * - `head`: the cosine of the beginning of the source
 * - `sharedHead`: the same × the share of the candidates whose source has an earlier candidate: what several candidates begin
 *   with tells less about each of them
 */
export type PassageFeatures = Record<keyof typeof RESCORING_WEIGHTS, number>

const COSINE_SHARE = 0.4

/** How many sentences of a passage are embedded at most: embedding takes most of the time. */
const COMPARED = 2

/** The sentences that cover most of the question, by their numbers; of several that cover as much the first ones. */
export const sentencesToCompare = ({ covered }: PassageReading): number[] =>
  [...covered.keys()].sort((one, other) => covered[other]! - covered[one]!).slice(0, COMPARED)

/** How well a sentence fits the question: by its cosine and the share of the term weights that it covers. */
const fitOf = (cosine: number, covered: number): number =>
  COSINE_SHARE * cosine + (1 - COSINE_SHARE) * covered

/** Whether a sentence can fit the question better than another one with a known cosine: its own is at most 1. */
export const canFitBetter = (
  { covered }: PassageReading,
  number: number,
  known: { number: number; cosine: number },
): boolean => fitOf(1, covered[number]!) > fitOf(known.cosine, covered[known.number]!)

/** Where candidates share this part of their words, the words of the question in them tell nothing more. */
const ALIKE = 0.36

/** How much words tell of one of several candidates: 1 where they share none of their words, 0 from {@link ALIKE} on. */
const distinctnessOf = (sharedWords: number): number => Math.max(0, 1 - sharedWords / ALIKE)

/**
 * @param cosines of the question with sentences of the passage, by their numbers
 * @param sharedWords the part of their words that the candidates share: `SharedWords`
 */
export function passageFeatures(
  scores: Pick<PassageFeatures, 'hybrid' | 'keyword' | 'head' | 'sharedHead'>,
  { covered, coverage, matched, phrase, proximity, length }: PassageReading,
  cosines: ReadonlyMap<number, number>,
  sharedWords: number,
): PassageFeatures {
  const distinctness = distinctnessOf(sharedWords)
  const fits = Array.from(cosines, ([number, cosine]) => fitOf(cosine, covered[number]!))
  return {
    ...scores,
    ...{ phrase, proximity },
    coverage: coverage * distinctness,
    matched: matched * distinctness,
    sentence: Math.max(...fits) * distinctness,
    length: Math.log(1 + length),
  }
}
