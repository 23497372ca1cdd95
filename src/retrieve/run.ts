import { setImmediate } from 'node:timers/promises'
import type { StorePart } from '../contract/card.ts'
import type { SpellingReading } from '../contract/search.ts'
import { answerQuestion, type AnsweredQuestion, type Retrieved, traceAnswer } from './answer.ts'
import type { BelowCut } from './below-cut.ts'
import { questionVectors } from './embed-questions.ts'
import { type ExpectedOutcome, findExpected } from './expected/find-expected.ts'
import { withMemo } from './expected/memo-reranker.ts'
import { earlierQuestions } from './history.ts'
import type { AskedWord } from './question-words.ts'
import { type QuerySettings, querySettings, type RetrievalOverrides, weightFor } from './settings.ts'
import type { AskedQuestion, Timed } from './trace.ts'

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
      const vectors = await timed('embed', () =>
        questionVectors(part, { questions: queries, earlier }, settings, signal),
      )
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
): Promise<AnsweredQuestion & { expected?: ExpectedOutcome }> {
  const { expect } = asked
  if (!expect) return answerQuestion(part, question, ofQuery(asked), { timed, signal })
  return findExpected(
    part.store,
    { question, expect, asked },
    {
      answer: (whole) =>
        answerQuestion(part, question, withMemo(ofQuery(asked), whole), { timed, signal, whole }),
      retry: (overrides, whole) =>
        traceAnswer(part, question, withMemo(ofQuery(overrides), whole), {
          ...{ timed: untimed, signal, whole, again: true },
        }),
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
