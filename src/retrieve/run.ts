import { setImmediate } from 'node:timers/promises'
import type { StorePart } from '../contract/card.ts'
import type { ChunkStore } from '../contract/chunk-store.ts'
import type { RankedCandidates, SearchRequest, SpellingReading } from '../contract/search.ts'
import type { Document } from '../contract/document.ts'
import type { Ranking } from '../contract/retrieval.ts'
import { SluiceError } from '../kit/errors.ts'
import { candidatesPerSide, rankCandidates } from '../vector/fusion.ts'
import { chooseAnswers, type ChosenCandidate, comparesVectors, consideredCount } from './choose.ts'
import { basisOf, confidenceAmong } from './confidence.ts'
import { BACKGROUND_HITS } from './confidence-features.ts'
import { type HitExplanation, hitExplainer } from './explain-hit.ts'
import { type Highlight, highlightsOf, type QueryMeaning } from './highlight.ts'
import { rescoreCandidates } from './rescoring/rescore-candidates.ts'
import { RESCORED } from './rescoring/rescoring-weights.ts'
import { embedQuestions } from './embed-questions.ts'
import { type EarlierQuestions, earlierQuestions } from './history.ts'
import { type RetrievalOverrides, type QuerySettings, querySettings, weightFor } from './settings.ts'

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

/** How an answer was found, for the request that asks for it. */
export type RetrievalReport = {
  /** The weight is that of the first query. */
  settings: QuerySettings
  /** By query: the words that were searched in another spelling too. */
  readings: SpellingReading[][]
  /** By query: whether probably none of the chunks answers it; false also where that cannot be said. */
  unlikely: boolean[]
  /** Milliseconds of all queries together, by stage. `choose` drops near duplicates, applies a reranker and MMR. */
  stages: { embed: number; search: number; rescore: number; choose: number; highlight: number }
}

export type Retriever = {
  /**
   * The matching chunks of each query, best first; with MMR in the order of choice.
   *
   * @throws SluiceError `query_invalid`, `embedder_changed`, and what embedder and reranker throw
   */
  retrieve(
    part: StorePart,
    queries: readonly string[],
    asked?: RetrievalOverrides,
    signal?: AbortSignal,
    report?: (report: RetrievalReport) => void,
  ): Promise<Retrieved[][]>
}

export function createRetriever(): Retriever {
  return {
    async retrieve(part, queries, asked = {}, signal, report) {
      const settings = querySettings(part, asked)
      const ofQuery = (query: string) => ({ ...settings, weight: weightFor(settings, part.embedder, query) })
      const stages = { embed: 0, search: 0, rescore: 0, choose: 0, highlight: 0 }
      const timed: Timed = async (stage, work) => {
        const startedAt = performance.now()
        const done = await work()
        stages[stage] += performance.now() - startedAt
        return done
      }
      const earlier = earlierQuestions(asked.history)
      const vectors = await timed('embed', () => vectorsOf(part, { queries, earlier }, settings, signal))
      const answers = await inTurns(queries, (query, at) =>
        answer(
          part,
          { query, vector: vectors[at], chatId: asked.chatId, earlier },
          ofQuery(query),
          timed,
          signal,
        ),
      )
      report?.({
        settings: ofQuery(queries[0] ?? ''),
        readings: answers.map(({ readings }) => readings),
        unlikely: answers.map(({ unlikely }) => unlikely),
        stages,
      })
      return answers.map(({ hits }) => hits)
    },
  }
}

/** Starts some work, and adds its time to its stage. */
type Timed = <Done>(stage: keyof RetrievalReport['stages'], work: () => Promise<Done>) => Promise<Done>

/** Starts the work for each item, at most one in each turn of the event loop, and waits for all. */
async function inTurns<Item, Done>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Done>,
): Promise<Done[]> {
  const started: Promise<Done>[] = []
  for (const [at, item] of items.entries()) {
    if (at > 0) await setImmediate()
    const one = work(item, at)
    // Promise.all() below reports a failure; without this, one that comes earlier would count as unhandled.
    one.catch(() => {})
    started.push(one)
  }
  return Promise.all(started)
}

/** A vector per query, embedded together; none in keyword mode, or where the store is empty. */
async function vectorsOf(
  { store, embedder }: StorePart,
  { queries, earlier }: { queries: readonly string[]; earlier: EarlierQuestions | undefined },
  { mode }: QuerySettings,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const built = await store.embedder()
  if (mode === 'keyword' || (built === undefined && !store.outside)) return []
  if (built !== undefined && built !== embedder.id)
    throw new SluiceError('embedder_changed', {
      namespace: store.namespace,
      was: built,
      now: embedder.id,
    })
  return embedQuestions(embedder, { questions: queries, earlier }, signal)
}

type Asked = {
  query: string
  vector: Float32Array | undefined
  chatId: string | undefined
  earlier: EarlierQuestions | undefined
}

async function answer(
  { store, embedder }: StorePart,
  { query, vector, chatId, earlier }: Asked,
  settings: QuerySettings,
  timed: Timed,
  signal: AbortSignal | undefined,
): Promise<{ hits: Retrieved[]; readings: SpellingReading[]; unlikely: boolean }> {
  signal?.throwIfAborted()
  const { mode, metric, filter, includeVectors } = settings
  // It was fitted on questions that stand alone.
  const basis = earlier ? undefined : basisOf(settings, embedder.id)
  const request = {
    limit: candidatesOf(settings),
    ...(vector ? { vector, embedder: embedder.id, metric } : {}),
    ...(mode === 'vector' ? {} : { text: query, ...(earlier ? { earlier: earlier.terms } : {}) }),
    ...(filter ? { filter } : {}),
    ...(chatId === undefined ? {} : { chatId }),
    ...(includeVectors || comparesVectors(settings) ? { vectors: true } : {}),
    ...(settings.spelling ? { spelling: true } : {}),
    ...(settings.rescore ? { withHeads: RESCORED } : {}),
  }
  const ranking = rankingOf(settings)
  const candidates = await timed('search', () => rankedBy(store, request, ranking))
  const { found, readings = [] } = candidates
  const confidence = confidenceAmong({ question: query, found, ranked: candidates.ranked }, basis)
  const rescored =
    vector && candidates.termWeights
      ? await timed('rescore', () =>
          rescoreCandidates(candidates, { question: query, vector, ranking, embedder }, signal),
        )
      : undefined
  const { ranked } = rescored ?? candidates
  const chosen = await timed('choose', () => chooseAnswers(ranked, query, settings, signal))
  const explain = settings.explain ? hitExplainer(candidates, rescored, ranking) : undefined
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
  return { hits, readings, unlikely: hits.length > 0 && confidence.unlikely }
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

/** Candidates in order: by an engine that ranks early, otherwise here. */
async function rankedBy(
  store: ChunkStore,
  request: SearchRequest,
  ranking: Ranking,
): Promise<RankedCandidates> {
  if (store.searchRanked) return store.searchRanked(request, ranking)
  const found = await store.search(request)
  return { ranked: rankCandidates(found, ranking), found }
}

/**
 * How candidates are ordered, and how many are kept: as many as are considered, rescored or compared for a confidence, or all
 * where near duplicates drop out.
 */
function rankingOf(settings: QuerySettings): Ranking {
  const { mode, fusion, weight, minScore, nearDuplicates, rescore } = settings
  const most = Math.max(consideredCount(settings), rescore ? RESCORED : 0, BACKGROUND_HITS)
  const limit = nearDuplicates === undefined ? most : undefined
  return { mode, fusion, weight, minScore, limit, explain: settings.explain }
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
