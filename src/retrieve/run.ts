import { setImmediate } from 'node:timers/promises'
import type { StorePart } from '../contract/card.ts'
import type { SpellingReading } from '../contract/search.ts'
import type { Document } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import { type BelowCut, belowCut } from './below-cut.ts'
import type { ChosenCandidate } from './choose.ts'
import { basisOf, confidenceAmong } from './confidence.ts'
import { type ExpectedOutcome, findExpected } from './expected/find-expected.ts'
import { withMemo } from './expected/memo-reranker.ts'
import { type HitExplanation, hitExplainer } from './explain-hit.ts'
import { type Highlight, highlightsOf, type QueryMeaning } from './highlight.ts'
import { type AskedWord, QuestionWords } from './question-words.ts'
import { embedQuestions } from './embed-questions.ts'
import { type EarlierQuestions, earlierQuestions } from './history.ts'
import { type RetrievalOverrides, type QuerySettings, querySettings, weightFor } from './settings.ts'
import { type AskedQuestion, type Timed, type Trace, traceAnswer, type TraceMemo } from './trace.ts'

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
  /** By query, with `explain`: its words with their rarity; undefined where words were not searched here. */
  words: (AskedWord[] | undefined)[]
  /** By query, with `explain`: what came after the last hit; undefined where more than the ranking chose the hits. */
  below: (BelowCut[] | undefined)[]
  /** What became of the chunk that the request expects. */
  expected: ExpectedOutcome | undefined
  /**
   * Milliseconds of all queries together, by stage. `choose` drops near duplicates, applies a reranker and MMR; `expect` finds out what
   * became of an expected chunk.
   */
  stages: {
    embed: number
    search: number
    rescore: number
    choose: number
    highlight: number
    expect?: number
  }
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
      const ofQuery = (query: string, overrides = asked) => {
        const used = overrides === asked ? settings : querySettings(part, overrides)
        return { ...used, weight: weightFor(used, part.embedder, query) }
      }
      const stages: RetrievalReport['stages'] = { embed: 0, search: 0, rescore: 0, choose: 0, highlight: 0 }
      const timed: StageTimer = async (stage, work) => {
        const startedAt = performance.now()
        const done = await work()
        stages[stage] = (stages[stage] ?? 0) + performance.now() - startedAt
        return done
      }
      const earlier = earlierQuestions(asked.history)
      const vectors = await timed('embed', () => vectorsOf(part, { queries, earlier }, settings, signal))
      const answers = await inTurns(queries, (query, at) =>
        answerExpecting(part, { query, vector: vectors[at], chatId: asked.chatId, earlier }, asked, {
          ...{ timed, signal },
          ofQuery: (overrides) => ofQuery(query, overrides),
        }),
      )
      report?.({
        settings: ofQuery(queries[0] ?? ''),
        readings: answers.map(({ readings }) => readings),
        unlikely: answers.map(({ unlikely }) => unlikely),
        words: answers.map(({ words }) => words),
        below: answers.map(({ below }) => below),
        expected: answers[0]?.expected,
        stages,
      })
      return answers.map(({ hits }) => hits)
    },
  }
}

/** Starts some work, and adds its time to its stage. */
type StageTimer = <Done>(stage: keyof RetrievalReport['stages'], work: () => Promise<Done>) => Promise<Done>

/** The answer to a question, and what became of the chunk that the request expects. */
async function answerExpecting(
  part: StorePart,
  question: AskedQuestion,
  asked: RetrievalOverrides,
  {
    ofQuery,
    timed,
    signal,
  }: {
    ofQuery: (overrides: RetrievalOverrides) => QuerySettings
    timed: StageTimer
    signal: AbortSignal | undefined
  },
): Promise<Answer> {
  const { expect } = asked
  if (!expect) return answer(part, question, ofQuery(asked), { timed, signal })
  return findExpected(
    part.store,
    { question, expect, asked },
    {
      answer: (whole) => answer(part, question, withMemo(ofQuery(asked), whole), { timed, signal, whole }),
      retry: (overrides, whole) =>
        traceAnswer(part, question, withMemo(ofQuery(overrides), whole), { timed: untimed, signal, whole }),
      timed: (work) => timed('expect', work),
    },
  )
}

const untimed: Timed = (_, work) => work()

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

type Answer = {
  hits: Retrieved[]
  readings: SpellingReading[]
  unlikely: boolean
  words?: AskedWord[]
  below?: BelowCut[] | undefined
  expected?: ExpectedOutcome
}

/** @param whole where a chunk is expected: every step goes on to it */
async function answer(
  part: StorePart,
  asked: AskedQuestion,
  settings: QuerySettings,
  options: { timed: StageTimer; signal: AbortSignal | undefined; whole?: TraceMemo },
): Promise<Answer & { trace: Trace }> {
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
