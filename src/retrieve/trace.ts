import type { StorePart } from '../contract/card.ts'
import type { ChunkStore } from '../contract/chunk-store.ts'
import type { Reranker } from '../contract/reranker.ts'
import type { Ranking } from '../contract/retrieval.ts'
import type { RankedCandidates, SearchRequest } from '../contract/search.ts'
import { candidatesPerSide, rankCandidates } from '../vector/fusion.ts'
import { TOLD_BELOW } from './below-cut.ts'
import { type Choice, chooseInSteps, comparesVectors, consideredCount } from './choose.ts'
import { BACKGROUND_HITS } from './confidence-features.ts'
import type { EarlierQuestions } from './history.ts'
import { rescoreCandidates, type Rescoring } from './rescoring/rescore-candidates.ts'
import { RESCORED } from './rescoring/rescoring-weights.ts'
import type { QuerySettings } from './settings.ts'

/** A question, with its vector where it is searched by vector. */
export type AskedQuestion = {
  query: string
  vector: Float32Array | undefined
  chatId: string | undefined
  earlier: EarlierQuestions | undefined
}

/** Starts some work, and adds its time to its stage. */
export type Timed = <Done>(stage: 'search' | 'rescore' | 'choose', work: () => Promise<Done>) => Promise<Done>

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

type TraceOptions = {
  timed: Timed
  signal: AbortSignal | undefined
  /** Every step goes on with all that it considers, not only with what an answer needs. The answer is the same. */
  whole?: TraceMemo | undefined
}

/** Searches, ranks, rescores and chooses. */
export async function traceAnswer(
  { store, embedder }: Pick<StorePart, 'store' | 'embedder'>,
  { query, vector, chatId, earlier }: AskedQuestion,
  settings: QuerySettings,
  { timed, signal, whole }: TraceOptions,
): Promise<Trace> {
  const { mode, metric, filter, includeVectors } = settings
  // With one side the order does not depend on how many it gives, so more are looked at.
  const limit = whole ? candidatesPerSide(consideredCount(settings)) : candidatesOf(settings)
  const request: SearchRequest = {
    limit,
    ...(vector && mode !== 'keyword' ? { vector, embedder: embedder.id, metric } : {}),
    ...(mode === 'vector' ? {} : { text: query, ...(earlier ? { earlier: earlier.terms } : {}) }),
    ...(filter ? { filter } : {}),
    ...(chatId === undefined ? {} : { chatId }),
    ...(includeVectors || comparesVectors(settings) ? { vectors: true } : {}),
    ...(settings.spelling ? { spelling: true } : {}),
    ...(settings.rescore ? { withHeads: RESCORED } : {}),
  }
  const ranking: Ranking = whole
    ? { ...rankingOf(settings), limit: undefined, explain: true }
    : rankingOf(settings)
  const search = () => rankedBy(store, request, ranking)
  const { vector: _, ...key } = request
  const candidates = await timed('search', () =>
    whole
      ? once(whole.searches, JSON.stringify([key, request.vector !== undefined, ranking]), search)
      : search(),
  )
  const rescore = () =>
    rescoreCandidates(candidates, { question: query, vector: vector!, ranking, embedder }, signal)
  const rescored =
    request.vector && candidates.termWeights
      ? await timed('rescore', () => (whole ? once(whole.rescorings, candidates, rescore) : rescore()))
      : undefined
  const { ranked } = rescored ?? candidates
  const choice = await timed('choose', () =>
    chooseInSteps(ranked, query, settings, { signal, whole: whole !== undefined }),
  )
  return { settings, ranking, limit, candidates, rescored, choice }
}

/** What was done for a key before, or is done now. */
function once<Key, Done>(done: Map<Key, Promise<Done>>, key: Key, work: () => Promise<Done>): Promise<Done> {
  const known = done.get(key) ?? work()
  done.set(key, known)
  return known
}

/** Candidates in order: by an engine that ranks early, otherwise here. */
async function rankedBy(
  store: ChunkStore,
  request: SearchRequest,
  ranking: Ranking,
): Promise<RankedCandidates> {
  if (store.searchRanked) return store.searchRanked(request, ranking)
  const [found, termFacts] = await Promise.all([
    store.search(request),
    ranking.explain && request.text !== undefined ? store.termFacts?.(request) : undefined,
  ])
  return { ranked: rankCandidates(found, ranking), found, ...(termFacts ? { termFacts } : {}) }
}

/**
 * How candidates are ordered, and how many are kept: as many as are considered, told below the cut, rescored or compared for a
 * confidence, or all where near duplicates drop out.
 */
function rankingOf(settings: QuerySettings): Ranking {
  const { mode, fusion, weight, minScore, nearDuplicates, rescore, explain } = settings
  const considered = consideredCount(settings) + (explain ? TOLD_BELOW : 0)
  const most = Math.max(considered, rescore ? RESCORED : 0, BACKGROUND_HITS)
  const limit = nearDuplicates === undefined ? most : undefined
  return { mode, fusion, weight, minScore, limit, explain }
}

/**
 * How many candidates each side gives. With one side: as many as are considered, and at least those that a confidence is
 * estimated from. More with two sides, or where near duplicates drop out.
 */
function candidatesOf(settings: QuerySettings): number {
  const considered = consideredCount(settings)
  const alone = settings.mode !== 'hybrid' && settings.nearDuplicates === undefined
  return alone ? Math.max(considered, BACKGROUND_HITS) : candidatesPerSide(considered)
}
