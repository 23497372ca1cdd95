import type { Candidate, Ranked } from '../contract/search.ts'
import { isCode, quotesCode } from './code-likeness.ts'
import { type Asked, type ConfidenceBasis, featuresOf } from './confidence-features.ts'
import { CONFIDENCE_WEIGHTS, FITTED_EMBEDDER, UNLIKELY_BELOW } from './confidence-weights.ts'
import { lengthClassOf, scriptOf, wordsIn } from './question-kind.ts'
import type { QuerySettings } from './settings.ts'

/** What is known of the answer to a question. */
export type Confidence = {
  /** The probability, 0 to 1, that a candidate answers the question; null where no honest one can be had. */
  of(candidate: Candidate): number | null
  /** Whether probably no candidate answers; false also where nothing can be said. */
  unlikely: boolean
}

/** Of how many first candidates each must be unlikely, and so many of source code make a question one about code. */
const LOOKED_AT = 10
const MOST_CODE = 3

const UNKNOWN: Confidence = { of: () => null, unlikely: false }

/**
 * What an estimate can use with these settings; undefined for nothing. A cosine depends on its embedder, and the weights were
 * fitted with the built-in one: with another one only the keywords count, and in vector mode nothing.
 */
export function basisOf(
  { mode, metric }: Pick<QuerySettings, 'mode' | 'metric'>,
  embedder: string,
): ConfidenceBasis | undefined {
  const fitted = embedder === FITTED_EMBEDDER && metric === 'cosine'
  if (mode === 'vector') return fitted ? 'vector' : undefined
  return mode === 'hybrid' && fitted ? 'both' : 'keyword'
}

/**
 * Estimates how likely each candidate of a query answers it: a logistic regression over {@link featuresOf}. It depends neither
 * on `topK` nor on rescoring, MMR or a reranker. For questions of another length than it was fitted on, for candidates that are
 * source code, and where several of the first are, there is no estimate.
 */
export function confidenceAmong(asked: Asked, basis: ConfidenceBasis | undefined): Confidence {
  if (basis === undefined || !isFitted(asked)) return UNKNOWN
  // Another server searched the words: its scores say nothing about the largest that the question can reach.
  if (
    basis !== 'vector' &&
    asked.found.some(({ keywordScore, matched }) => keywordScore !== null && matched === null)
  )
    return UNKNOWN
  const features = featuresOf(asked, basis)
  const weights = CONFIDENCE_WEIGHTS[basis]
  const of = (candidate: Candidate) => {
    const values = isCode(candidate.pageContent) ? null : features(candidate)
    return values && probability(values, weights)
  }
  const below = unlikelyBelow(asked.question, basis)
  const first = asked.ranked.slice(0, LOOKED_AT)
  const isLow = ({ candidate }: Ranked<Candidate>) => (of(candidate) ?? 1) < below
  return { of, unlikely: first.length > 0 && first.every(isLow) }
}

/** Whether there are figures for a question like this one. */
export function isFitted({ question, ranked }: Pick<Asked, 'question' | 'ranked'>): boolean {
  if (lengthClassOf(wordsIn(question)) === undefined || quotesCode(question)) return false
  const code = ranked.slice(0, LOOKED_AT).filter(({ candidate }) => isCode(candidate.pageContent))
  return code.length < MOST_CODE
}

/** A confidence below this is low for a question; 0 where nothing can be said. */
function unlikelyBelow(question: string, basis: ConfidenceBasis): number {
  const script = scriptOf(question)
  const length = lengthClassOf(wordsIn(question))
  return script === undefined || length === undefined ? 0 : UNLIKELY_BELOW[basis][script][length]!
}

/** @param weights the bias, then one for each value */
export const probability = (values: readonly number[], [bias, ...weights]: readonly number[]): number =>
  logistic(values.reduce((sum, value, at) => sum + value * weights[at]!, bias!))

export const logistic = (log: number): number => 1 / (1 + Math.exp(-log))
