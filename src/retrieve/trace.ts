import type { EarlierQuestions } from './history.ts'
import type { QuerySettings } from './settings.ts'
import type { Reranker } from '../contract/reranker.ts'
import type { Ranking } from '../contract/retrieval.ts'
import type { RankedCandidates, Candidate, Ranked } from '../contract/search.ts'
import type { Rescoring } from './rescoring/rescore-candidates.ts'
import type { Diversity } from '../vector/diversity.ts'

/** A question, with its vector where it is searched by vector. */
export type AskedQuestion = {
  query: string
  vector: Float32Array | undefined
  chatId: string | undefined
  earlier: EarlierQuestions | undefined
}

/** Starts some work, and adds its time to its stage. */
export type Timed = <Done>(
  stage: 'search' | 'rescore' | 'choose' | 'highlight',
  work: () => Promise<Done>,
) => Promise<Done>

/** What each step of an answer has left, in its order. */
export type Trace = {
  settings: QuerySettings
  ranking: Ranking
  /** How many candidates each side could give. */
  limit: number
  candidates: RankedCandidates
  rescored: Rescoring | undefined
  choice: Choice
}

/** Answers of one question to one state of an index: what two of them have in common is done once. */
export type TraceMemo = {
  searches: Map<string, Promise<RankedCandidates>>
  rescorings: Map<RankedCandidates, Promise<Rescoring>>
  reranked: Map<string, ReturnType<Reranker['rerank']>>
  /** How many calls of a reranker may still be made. */
  rerankCalls: number
}

/** A chosen candidate. Where there is a reranker: its score, and the place that it gave the candidate, from 1. */
export type JudgedCandidate = Ranked<Candidate> & { rerank?: { score: number; place: number } }

/** With MMR: why it was chosen. */
export type ChosenCandidate = JudgedCandidate & { diversity?: Diversity<JudgedCandidate> }

/** What each step has left of a ranking, in its order. */
export type Choice = {
  /** Without near duplicates: as many as are considered, with `whole` more. */
  distinct: Ranked<Candidate>[]
  /** As many as are considered, in the order of the reranker where there is one. */
  judged: JudgedCandidate[]
  /** In the order in which MMR has chosen; the same without it. */
  ordered: ChosenCandidate[]
  /** The first `topK`. */
  chosen: ChosenCandidate[]
}
