import type { ChunkStore } from '../../contract/chunk-store.ts'
import { type Expected, MOST_NAMED_IDS, type NamedChunk, type NamedChunks } from '../../contract/expected.ts'
import type { Candidate } from '../../contract/search.ts'
import { type HitExplanation, hitExplainer } from '../explain-hit.ts'
import { QuestionWords } from '../question-words.ts'
import type { RetrievalOverrides } from '../settings.ts'
import type { AskedQuestion, Trace, TraceMemo } from '../trace.ts'
import { judgeChunk, scoresOf } from './judge-chunk.ts'
import { judgeRanked } from './judge-ranked.ts'
import { traceMemo } from './memo-reranker.ts'
import { type ChunkOutcome, further, type SmallestChange } from './outcome.ts'
import { smallestChange } from './smallest-change.ts'

/** What became of an expected source or chunk: of the chunk of it that went furthest. */
export type ExpectedOutcome = Omit<ChunkOutcome, 'id' | 'lastPlace'> & {
  /** Undefined where nothing is stored under the name. */
  chunk?: { id: string; source: string | null; scores: { vector: number | null; keyword: number | null } }
  /** How many chunks of it were looked at. */
  chunks: number
  /** Where the chunk was ranked: what its score is the sum of, and its places. */
  explanation?: HitExplanation
  /** Which scores the engine cannot tell of a chunk that it did not find. */
  untold: ('vector' | 'keyword')[]
  /** The smallest change of one setting that shows it; null where none was found, or none is needed. */
  change: SmallestChange | null
  /** How often the query was done again to find it. */
  tries: number
  /** The index changed each time while this was found out. */
  isUnsettled?: true
}

export type Expectation = {
  question: AskedQuestion
  expect: NonNullable<RetrievalOverrides['expect']>
  asked: RetrievalOverrides
}

type Means<Answer> = {
  /** The answer to the question. */
  answer(whole: TraceMemo): Promise<Answer>
  /** What the steps leave with other settings. */
  retry(overrides: RetrievalOverrides, whole: TraceMemo): Promise<Trace>
  /** Counts the time of some work. */
  timed<Done>(work: () => Promise<Done>): Promise<Done>
}

/** How often it is begun again because a publication has changed the index. */
const MOST_ATTEMPTS = 5

/**
 * Answers a question and says what became of an expected chunk. All of it is of one state of the index: where a publication comes in
 * between, it is done again.
 */
export async function findExpected<Answer extends { trace: Trace }>(
  store: ChunkStore,
  expectation: Expectation,
  { answer, retry, timed }: Means<Answer>,
): Promise<Answer & { expected: ExpectedOutcome }> {
  const { reranked } = traceMemo()
  for (let attempt = 1; ; attempt++) {
    const memo: TraceMemo = { ...traceMemo(), reranked }
    const state = await store.state()
    const found = await answer(memo)
    const expected = await timed(async () => {
      const named = await namedIn(store, expectation, found.trace, state)
      if (named.state !== state) return undefined
      const outcome = await outcomeOf(store, expectation, found.trace, named, (overrides) =>
        retry(overrides, memo),
      )
      return (await store.state()) === state ? outcome : undefined
    })
    if (expected) return { ...found, expected }
    if (attempt < MOST_ATTEMPTS) continue
    const unsettled = { ...NOTHING_KNOWN, step: 'untold' as const, isUnsettled: true as const }
    return { ...found, expected: unsettled }
  }
}

const NOTHING_KNOWN = { place: null, measured: [], chunks: 0, untold: [], change: null, tries: 0 }

/** The chunks under the expected name. A chunk that was ranked need not be looked up. */
async function namedIn(
  store: ChunkStore,
  { question, expect }: Expectation,
  { candidates }: Trace,
  state: string,
): Promise<NamedChunks> {
  const { chunks: expected, otherConversations } = expect
  if ('chunk' in expected) {
    const found = candidates.ranked.find(({ candidate }) => candidate.id === expected.chunk)
    if (found) return { state, ids: [expected.chunk], chunks: [found.candidate] }
  }
  const { chatId, vector } = question
  return store.named({ expected, chatId, otherConversations, vectors: vector !== undefined })
}

async function outcomeOf(
  store: ChunkStore,
  { question, expect, asked }: Expectation,
  trace: Trace,
  named: NamedChunks,
  retry: (overrides: RetrievalOverrides) => Promise<Trace>,
): Promise<ExpectedOutcome> {
  const isWanted = wantedAmong(store, expect.chunks, named)
  const { ranked } = trace.candidates
  const wanted = ranked.flatMap(({ candidate }) => (isWanted(candidate) ? candidate : []))
  const outcomes =
    wanted.length > 0
      ? wanted.map(({ id }) => judgeRanked(id, trace)!)
      : named.chunks.map((chunk) => judgeChunk(chunk, question, trace))
  const [first, ...others] = outcomes
  // What another program has stored is known only where the engine has found it.
  if (!first) return { ...NOTHING_KNOWN, step: store.outside ? 'untold' : 'notStored' }
  const outcome = others.reduce(further, first)
  const chunk: NamedChunk = [...wanted, ...named.chunks].find(({ id }) => id === outcome.id)!
  const { id, lastPlace: _, ...told } = outcome
  const found = wanted.find(({ id }) => id === outcome.id)
  const scores = found
    ? { vector: found.vectorScore, keyword: found.keywordScore }
    : scoresOf(chunk, question, trace)
  const { change, tries } =
    outcome.place === null
      ? await smallestChange({
          ...{ outcome, trace, asked, retry },
          metadata: chunk.metadata,
          placeIn: ({ choice }) => 1 + choice.chosen.findIndex((hit) => isWanted(hit.candidate)) || null,
        })
      : { change: null, tries: 0 }
  const { source } = chunk.metadata
  const explanation = explanationOf(id, question, trace)
  return {
    ...told,
    chunk: {
      ...{ id, source: typeof source === 'string' ? source : null },
      scores: { vector: scores.vector ?? null, keyword: scores.keyword ?? null },
    },
    chunks: Math.max(named.chunks.length, wanted.length),
    ...(explanation ? { explanation } : {}),
    untold: untoldOf(scores, trace),
    ...{ change, tries },
  }
}

/** Whether a candidate is one of the expected chunks. */
function wantedAmong(
  store: ChunkStore,
  expected: Expected,
  { ids }: NamedChunks,
): (candidate: Candidate) => boolean {
  if ('chunk' in expected) return ({ id }) => id === expected.chunk
  const known = new Set(ids)
  // Of more chunks than are read, and of what another program has stored, the metadata tell.
  const byMetadata = store.outside === true || ids.length >= MOST_NAMED_IDS
  return ({ id, metadata }) => known.has(id) || (byMetadata && metadata.source === expected.source)
}

/** The scores of a chunk that could not be had, of the sides that were searched. */
function untoldOf(
  scores: { vector: number | null | undefined; keyword: number | null | undefined },
  { settings: { mode } }: Trace,
): ExpectedOutcome['untold'] {
  return [
    ...(mode !== 'keyword' && scores.vector === undefined ? (['vector'] as const) : []),
    ...(mode !== 'vector' && scores.keyword === undefined ? (['keyword'] as const) : []),
  ]
}

/** What the score of a chunk is the sum of, where it was ranked. */
function explanationOf(
  id: string,
  { query, earlier }: AskedQuestion,
  { candidates, rescored, ranking, choice }: Trace,
): HitExplanation | undefined {
  const ranked = candidates.ranked.find(({ candidate }) => candidate.id === id)
  if (!ranked) return undefined
  const words = QuestionWords.of(query, candidates.readings ?? [], earlier?.terms)
  const hit = [...choice.ordered, ...choice.judged].find(({ candidate }) => candidate.id === id)
  return hitExplainer(candidates, rescored, ranking, words)(hit ?? ranked)
}
