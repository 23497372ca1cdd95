import type { Candidate } from '../contract/search.ts'
import { type ConfidenceBasis, confidenceAmong } from '../retrieve/confidence.ts'
import type { RelevanceGrades } from './measures.ts'
import type { ReliabilityMeter } from './reliability.ts'

/** How many hits of a query are looked at. */
export const RELIABILITY_HITS = 10

/** What was found for a question, and whether an answer is among what was searched. */
export type AnswerableCase = { found: readonly Candidate[]; judged: RelevanceGrades; answerable: boolean }

/**
 * A question over a collection as it is, and over the same collection without the documents that answer it. The second is a
 * question without an answer, in the same words and on the same subject.
 */
export const bothCases = (found: readonly Candidate[], judged: RelevanceGrades): AnswerableCase[] => [
  { found, judged, answerable: true },
  { found: found.filter((one) => !isAnswer(judged, one)), judged, answerable: false },
]

export const isAnswer = (judged: RelevanceGrades, { metadata }: Candidate): boolean =>
  (judged.get(String(metadata.source)) ?? 0) > 0

/** Adds the first hits of a question, with their confidence. @param ranked what was found, best first */
export function measureConfidence(
  meter: ReliabilityMeter,
  { found, judged, answerable }: AnswerableCase,
  ranked: readonly Candidate[],
  basis: ConfidenceBasis | undefined,
): void {
  const confidence = confidenceAmong(found, basis)
  const hits = ranked
    .slice(0, RELIABILITY_HITS)
    .map((candidate) => ({ confidence: confidence(candidate), right: isAnswer(judged, candidate) }))
  meter.add(hits, answerable)
}
