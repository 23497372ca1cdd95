import type { Candidate, Ranked } from '../contract/search.ts'
import { confidenceAmong } from '../retrieve/confidence.ts'
import type { ConfidenceBasis } from '../retrieve/confidence-features.ts'
import type { RelevanceGrades } from './measures.ts'
import type { ReliabilityMeter } from './reliability.ts'

/** How many hits of a query are looked at. */
export const RELIABILITY_HITS = 10

/** What was found for a question, and whether an answer is among what was searched. */
export type AnswerableCase = {
  question: string
  found: readonly Candidate[]
  judged: RelevanceGrades
  answerable: boolean
}

/**
 * A question over a collection as it is, and over the same collection without the documents that answer it. The second is a
 * question without an answer, in the same words and on the same subject.
 */
export const bothCases = (
  question: string,
  found: readonly Candidate[],
  judged: RelevanceGrades,
): AnswerableCase[] => [
  { question, found, judged, answerable: true },
  { question, found: found.filter((one) => !isAnswer(judged, one)), judged, answerable: false },
]

export const isAnswer = (judged: RelevanceGrades, { metadata }: Candidate): boolean =>
  (judged.get(String(metadata.source)) ?? 0) > 0

/**
 * Adds the first hits of a question, with their confidence.
 *
 * @param ranked what was found, best first, before rescoring
 * @param hits the same in the order of the answer
 */
export function measureConfidence(
  meter: ReliabilityMeter,
  { question, found, judged, answerable }: AnswerableCase,
  { ranked, hits }: { ranked: readonly Ranked<Candidate>[]; hits: readonly Ranked<Candidate>[] },
  basis: ConfidenceBasis | undefined,
): void {
  const confidence = confidenceAmong({ question, found, ranked }, basis)
  meter.add(
    hits.slice(0, RELIABILITY_HITS).map(({ candidate }) => ({
      confidence: confidence.of(candidate),
      right: isAnswer(judged, candidate),
    })),
    { answerable, unlikely: confidence.unlikely },
  )
}
