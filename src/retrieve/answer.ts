import { setImmediate } from 'node:timers/promises'
import type { StorePart } from '../contract/card.ts'
import type {
  SpellingReading,
  RankedCandidates,
  SearchRequest,
  Candidate,
  Ranked,
} from '../contract/search.ts'
import type { Document } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import { type BelowCut, belowCut, TOLD_BELOW } from './below-cut.ts'
import { basisOf, confidenceAmong } from './confidence.ts'
import { type HitExplanation, hitExplainer } from './explain-hit.ts'
import { type Highlight, highlightsOf, type QueryMeaning } from './highlight.ts'
import { type AskedWord, QuestionWords } from './question-words.ts'
import type { QuerySettings } from './settings.ts'
import type { ChunkStore } from '../contract/chunk-store.ts'
import type { Reranker } from '../contract/reranker.ts'
import type { Ranking } from '../contract/retrieval.ts'
import { candidatesPerSide, rankCandidates } from '../vector/fusion.ts'
import { BACKGROUND_HITS } from './confidence-features.ts'
import { rescoreCandidates } from './rescoring/rescore-candidates.ts'
import { RESCORED } from './rescoring/rescoring-weights.ts'
import { chooseDiverse, withoutNearDuplicates } from '../vector/diversity.ts'
import type {
  AskedQuestion,
  Choice,
  ChosenCandidate,
  JudgedCandidate,
  Timed,
  Trace,
  TraceMemo,
} from './trace.ts'

export type Retrieved = Document &
  Partial<HitExplanation> & {
    id: string
    /** Larger is better; comparable within one answer only. */
    score: number
    scores: { vector: number | null; keyword: number | null; rerank?: number }
    /**
     * The estimated probability that this chunk answers the question, 0 to 1; comparable between queries. Null where no honest
     * one can be had: `confidenceAmong` says where; and with earlier questions.
     */
    confidence: number | null
    /** Where the request asks for it: the sentence that fits best, in UTF-16 code units of `pageContent`; null for none. */
    highlight?: Highlight | null
    /** Where the request asks for vectors. */
    vector?: number[]
  }

/** The answer to one question. */
export type AnsweredQuestion = {
  hits: Retrieved[]
  readings: SpellingReading[]
  unlikely: boolean
  words?: AskedWord[]
  below?: BelowCut[] | undefined
}

/**
 * Answers one question: searches, ranks, rescores and chooses, then says of each hit how likely it answers, and which sentence fits best.
 *
 * @param whole where a chunk is expected: every step goes on to it
 */
export async function answerQuestion(
  part: StorePart,
  asked: AskedQuestion,
  settings: QuerySettings,
  options: TraceOptions,
): Promise<AnsweredQuestion & { trace: Trace }> {
  const { embedder } = part
  const { query, vector, earlier } = asked
  const { timed, signal } = options
  signal?.throwIfAborted()
  const { includeVectors } = settings
  // It was fitted on questions that stand alone.
  const basis = earlier ? undefined : basisOf(settings, embedder.id)
  const trace = await traceAnswer(part, asked, settings, options)
  const { candidates, rescored, ranking } = trace
  const { chosen } = trace.choice
  const { found, readings = [], termFacts } = candidates
  const confidence = confidenceAmong({ question: query, found, ranked: candidates.ranked }, basis)
  const words = settings.explain && termFacts ? QuestionWords.of(query, readings, earlier?.terms) : undefined
  const explain = settings.explain ? hitExplainer(candidates, rescored, ranking, words) : undefined
  const highlights = await timed('highlight', () =>
    highlightsAmong(
      chosen.map(({ candidate }) => candidate.pageContent),
      {
        query: withReadings(query, readings),
        settings,
        ...(vector && embedder.local ? { meaning: { embedder, vector } } : {}),
      },
      signal,
    ),
  )
  const hits = chosen.map((one, at) => ({
    ...present(one, confidence.of(one.candidate), includeVectors),
    ...(highlights ? { highlight: highlights[at] ?? null } : {}),
    ...explain?.(one),
  }))
  return {
    ...{ hits, readings, unlikely: hits.length > 0 && confidence.unlikely, trace },
    ...(words && termFacts ? { words: words.counted(termFacts) } : {}),
    ...(settings.explain ? { below: belowCut(trace) } : {}),
  }
}

/** The question with the words that were searched beside it, so that these are marked too. */
const withReadings = (query: string, readings: readonly SpellingReading[]): string =>
  [query, ...readings.flatMap(({ readAs }) => readAs)].join(' ')

type Wanted = { query: string; settings: QuerySettings; meaning?: Omit<QueryMeaning, 'weight'> }

/** Highlights where the request wants them, of the chosen chunks only. */
async function highlightsAmong(
  texts: readonly string[],
  { query, settings, meaning }: Wanted,
  signal: AbortSignal | undefined,
): Promise<(Highlight | null)[] | undefined> {
  if (!settings.highlight) return undefined
  const { weight } = settings
  return highlightsOf(texts, query, meaning && { ...meaning, weight }, signal)
}

function present(
  { candidate, score, rerank }: ChosenCandidate,
  confidence: number | null,
  includeVectors: boolean,
): Retrieved {
  const { pageContent, metadata, id, vectorScore, keywordScore, vector } = candidate
  return {
    pageContent,
    metadata,
    id,
    score,
    scores: { vector: vectorScore, keyword: keywordScore, ...(rerank ? { rerank: rerank.score } : {}) },
    confidence: confidence === null ? null : Math.round(confidence * 1000) / 1000,
    ...(includeVectors && vector ? { vector: [...vector] } : {}),
  }
}

type TraceOptions = {
  timed: Timed
  signal: AbortSignal | undefined
  /** Every step goes on with all that it considers, not only with what an answer needs. The answer is the same. */
  whole?: TraceMemo | undefined
  /** With `whole`: only the answer is wanted, so a search that was not done before reads no more than an answer needs. */
  again?: boolean
}

/** Searches, ranks, rescores and chooses. */
export async function traceAnswer(
  { store, embedder }: Pick<StorePart, 'store' | 'embedder'>,
  { query, vector, chatId, earlier }: AskedQuestion,
  settings: QuerySettings,
  { timed, signal, whole, again = false }: TraceOptions,
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
  const { vector: _, ...rest } = request
  const keyOf = (order: Ranking) => JSON.stringify([rest, vector !== undefined, order])
  const enough = rankingOf(settings)
  const all: Ranking = { ...enough, limit: undefined, explain: true }
  const ranking = whole && (!again || whole.searches.has(keyOf(all))) ? all : enough
  const search = () => rankedBy(store, request, ranking)
  const candidates = await timed('search', () =>
    whole ? once(whole.searches, keyOf(ranking), search) : search(),
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

/** How many of the best candidates a reranker reads: each takes time and may cost money. */
const RERANKED = 50

/** With `whole`: among how many candidates near duplicates drop out, which takes time. */
const MOST_DISTINCT = 200

/** How long candidates are compared before other work runs, in milliseconds. */
const WORK_MS = 5

/** How many of the best are considered by MMR, the reranker, or as answers. */
export const consideredCount = ({ topK, mmr, reranker }: QuerySettings): number =>
  Math.max(topK, mmr?.fetchK ?? 0, reranker ? RERANKED : 0)

/** Whether candidates are compared with one another. */
export const comparesVectors = ({ mmr, nearDuplicates }: QuerySettings): boolean =>
  mmr !== undefined || nearDuplicates !== undefined

/**
 * Chooses the answers from a ranking: drops near duplicates, applies the reranker, then MMR. At most `topK` are left. With `whole`,
 * reranker and MMR go on after `topK`: with all that they consider.
 */
export async function chooseInSteps(
  ranked: readonly Ranked<Candidate>[],
  query: string,
  settings: QuerySettings,
  { signal, whole = false }: { signal?: AbortSignal | undefined; whole?: boolean },
): Promise<Choice> {
  const { topK, nearDuplicates, reranker, mmr } = settings
  const considered = consideredCount(settings)
  const wanted = whole ? Math.max(considered, MOST_DISTINCT) : considered
  const distinct =
    nearDuplicates === undefined
      ? ranked.slice(0, whole ? undefined : considered)
      : await take(withoutNearDuplicates(ranked, { threshold: nearDuplicates, vectorOf }), wanted, signal)
  const first = distinct.slice(0, considered)
  const judged: JudgedCandidate[] = reranker
    ? await rerank(first, query, reranker, mmr || whole ? first.length : topK, signal)
    : first
  if (!mmr) return { distinct, judged, ordered: judged, chosen: judged.slice(0, topK) }
  const { lambda, fetchK } = mmr
  const choice = chooseDiverse(judged, { lambda, fetchK: Math.max(topK, fetchK), vectorOf })
  const ordered = await take(choice, whole ? judged.length : topK, signal)
  return { distinct, judged, ordered, chosen: ordered.slice(0, topK) }
}

/** The first of some items. Comparing many with many takes long, so other work runs in between. */
async function take<Found>(found: Iterable<Found>, limit: number, signal?: AbortSignal): Promise<Found[]> {
  const taken: Found[] = []
  let pauseAt = performance.now() + WORK_MS
  for (const one of found) {
    taken.push(one)
    if (taken.length === limit) break
    if (performance.now() < pauseAt) continue
    await setImmediate()
    signal?.throwIfAborted()
    pauseAt = performance.now() + WORK_MS
  }
  return taken
}

/** The vector of a ranked candidate, where it was asked for. */
export const vectorOf = ({ candidate }: Ranked<Candidate>): Float32Array | undefined => candidate.vector

async function rerank(
  ranked: readonly Ranked<Candidate>[],
  query: string,
  reranker: Reranker,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<JudgedCandidate[]> {
  if (ranked.length === 0) return []
  const texts = ranked.map(({ candidate: { passage, pageContent } }) => passage ?? pageContent)
  const order = await reranker.rerank(query, texts, { limit, ...(signal ? { signal } : {}) })
  return order.map(({ index, score }, at) => {
    const one = ranked[index]
    if (!one) throw new SluiceError('internal', { id: reranker.id })
    return { candidate: one.candidate, score, rerank: { score, place: at + 1 } }
  })
}
