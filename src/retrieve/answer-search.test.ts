import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hashEmbedder } from '../../test/support/hash-embedder.ts'
import { publishChunks } from '../../test/support/publish-chunks.ts'
import { sharedStores } from '../../test/support/store.ts'
import type { ChunkStore } from '../contract/chunk-store.ts'
import type { Embedder } from '../contract/embedder.ts'
import type { Ranking } from '../contract/retrieval.ts'
import type { SearchRequest } from '../contract/search.ts'
import { parseFilter } from '../vector/filter.ts'
import { answerQuestion, traceAnswer } from './answer.ts'
import { type QuerySettings, querySettings, type RetrievalOverrides } from './settings.ts'
import type { AskedQuestion, Timed, TraceMemo } from './trace.ts'

const { stores } = sharedStores()
const filled = stores.open('ours')
const TEXTS = [
  'The heron waits at the water. It eats fish.',
  'The otter swims in the water of the lake.',
  'A heron and a heron.',
  'Nothing of note.',
]

const angle = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180))
const embedder: Embedder = {
  ...hashEmbedder({ id: 'compass', dimensions: 2 }),
  embedQuery: async () => angle(0),
}
const timed: Timed = (_, work) => work()
const QUESTION: AskedQuestion = {
  ...{ query: 'what does the heron eat', vector: angle(0) },
  ...{ chatId: undefined, earlier: undefined },
}

before(() =>
  publishChunks(
    filled,
    'compass',
    TEXTS.map((text, at) => ({ source: 'a', text, metadata: { at }, vector: angle(20 * at) })),
  ),
)

const partOf = (store: ChunkStore, given = embedder) => ({
  ...{ store, embedder: given, loaders: [] },
  retrieval: { topK: 3, searchType: 'similarity' as const },
})

const settingsOf = (asked: RetrievalOverrides): QuerySettings => querySettings(partOf(filled), asked)

/** The store, and what it is asked for. */
function watched({ ranksEarly = true } = {}) {
  const searches: { request: SearchRequest; ranking?: Ranking }[] = []
  const facts: SearchRequest[] = []
  const { searchRanked: _, ...rest } = filled
  const store: ChunkStore = {
    ...rest,
    search(request) {
      searches.push({ request })
      return filled.search(request)
    },
    ...(ranksEarly
      ? {
          searchRanked(request: SearchRequest, ranking: Ranking) {
            searches.push({ request, ranking })
            return filled.searchRanked!(request, ranking)
          },
        }
      : {}),
    async termFacts(request) {
      facts.push(request)
      return { passages: 4, averageLength: 5, terms: [] }
    },
  }
  return { store, searches, facts }
}

/** What a search gets with these settings. */
async function searched(
  asked: RetrievalOverrides,
  question: Partial<AskedQuestion> = {},
  { whole, ...more }: Partial<QuerySettings> & { whole?: TraceMemo } = {},
): Promise<{ request: SearchRequest; ranking: Ranking }> {
  const { store, searches } = watched()
  await traceAnswer(
    { store, embedder },
    { ...QUESTION, ...question },
    { ...settingsOf(asked), ...more },
    {
      ...{ timed, signal: undefined, whole },
    },
  )
  assert.equal(searches.length, 1)
  return searches[0] as { request: SearchRequest; ranking: Ranking }
}

const newMemo = (): TraceMemo => ({
  ...{ searches: new Map(), rescorings: new Map(), reranked: new Map(), rerankCalls: 0 },
})

const PLAIN: RetrievalOverrides = { rerank: false, nearDuplicates: false, rescore: false, spelling: false }

test('a search asks with the vector, the words, or both, as the mode is', async () => {
  const sides = async (
    mode: 'vector' | 'keyword' | 'hybrid',
    vector: Float32Array | undefined = angle(0),
  ) => {
    const { request } = await searched({ ...PLAIN, mode }, { vector })
    return [request.vector !== undefined, request.embedder, request.metric, request.text]
  }
  assert.deepEqual(await sides('vector'), [true, 'compass', 'cosine', undefined])
  assert.deepEqual(await sides('keyword'), [false, undefined, undefined, QUESTION.query])
  assert.deepEqual(await sides('hybrid'), [true, 'compass', 'cosine', QUESTION.query])
})

test('a search has filter, conversation, spelling, vectors and heads only where they are wanted', async () => {
  const { request: plain } = await searched(PLAIN)
  for (const name of ['filter', 'chatId', 'spelling', 'vectors', 'withHeads', 'earlier'])
    assert.equal(name in plain, false, name)
  const filter = parseFilter({ at: 1 })
  const { request } = await searched(
    { ...PLAIN, filter, spelling: true, includeVectors: true },
    { chatId: 'chat' },
    { rescore: true },
  )
  assert.deepEqual(
    [request.filter, request.chatId, request.spelling, request.vectors, request.withHeads],
    [filter, 'chat', true, true, 20],
  )
  for (const more of [{ nearDuplicates: 0.9 }, { mmr: { fetchK: 4, lambda: 0.5 } }])
    assert.equal((await searched({ ...PLAIN, ...more })).request.vectors, true)
})

test('a side gives as many candidates as its question needs', async () => {
  const limit = async (asked: RetrievalOverrides, more: { whole?: TraceMemo } = {}) =>
    (await searched({ ...PLAIN, ...asked }, {}, more)).request.limit
  assert.equal(await limit({ mode: 'vector', topK: 3 }), 20)
  assert.equal(await limit({ mode: 'vector', topK: 30 }), 30)
  assert.equal(await limit({ mode: 'keyword', topK: 30 }), 30)
  assert.equal(await limit({ mode: 'vector', topK: 3, nearDuplicates: 0.9 }), 100)
  assert.equal(await limit({ mode: 'hybrid', topK: 3 }), 100)
  assert.equal(await limit({ mode: 'hybrid', topK: 90 }), 180)
  assert.equal(await limit({ mode: 'vector', topK: 3 }, { whole: newMemo() }), 100)
})

test('a ranking keeps what is considered, told below the cut, rescored or compared, and all where near duplicates drop out', async () => {
  const kept = async (asked: RetrievalOverrides, more: Partial<QuerySettings> = {}) =>
    (await searched({ ...PLAIN, ...asked }, {}, more)).ranking.limit
  assert.equal(await kept({ topK: 3 }), 20)
  assert.equal(await kept({ topK: 30 }), 30)
  assert.equal(await kept({ topK: 30, explain: true }), 46)
  assert.equal(await kept({ topK: 3 }, { rescore: true }), 20)
  assert.equal(await kept({ topK: 3, nearDuplicates: 0.9 }), undefined)
})

test('with a memo a search is whole and done once; one that is only asked again reads no more than an answer needs', async () => {
  const { store, searches } = watched()
  const trace = (asked: RetrievalOverrides, whole: TraceMemo, again = false) =>
    traceAnswer({ store, embedder }, QUESTION, settingsOf({ ...PLAIN, ...asked }), {
      ...{ timed, signal: undefined, whole, again },
    })
  const memo = newMemo()
  const first = await trace({}, memo)
  assert.deepEqual([searches[0]!.ranking!.limit, searches[0]!.ranking!.explain], [undefined, true])
  assert.equal((await trace({}, memo)).candidates, first.candidates)
  assert.equal((await trace({}, memo, true)).candidates, first.candidates)
  assert.equal(searches.length, 1)
  await trace({ mode: 'vector' }, memo, true)
  assert.deepEqual([searches.length, searches[1]!.ranking!.limit], [2, 20])
  await trace({ mode: 'keyword' }, memo)
  assert.deepEqual([searches.length, searches[2]!.ranking!.limit], [3, undefined])
  // Another state of the index has a memo of its own.
  await trace({}, newMemo())
  assert.equal(searches.length, 4)
})

test('where the engine does not rank, its candidates are ranked here, and facts of words are asked for where they are told', async () => {
  const { store, searches, facts } = watched({ ranksEarly: false })
  const answer = (asked: RetrievalOverrides) =>
    traceAnswer({ store, embedder }, QUESTION, settingsOf({ ...PLAIN, ...asked }), {
      timed,
      signal: undefined,
    })
  const { candidates } = await answer({ mode: 'vector' })
  assert.deepEqual(
    candidates.ranked.map(({ candidate }) => candidate.metadata.at),
    [0, 1, 2, 3],
  )
  assert.equal('termFacts' in candidates, false)
  await answer({ mode: 'vector', explain: true })
  await answer({ mode: 'keyword' })
  assert.deepEqual([searches.length, facts.length], [3, 0])
  assert.ok((await answer({ mode: 'keyword', explain: true })).candidates.termFacts)
  assert.equal(facts.length, 1)
})

const answered = (asked: RetrievalOverrides, question: Partial<AskedQuestion> = {}, given = embedder) =>
  answerQuestion(partOf(filled, given), { ...QUESTION, ...question }, settingsOf({ ...PLAIN, ...asked }), {
    ...{ timed, signal: undefined },
  })

test('an answer has highlights, vectors and words only where they are wanted', async () => {
  const plain = await answered({})
  for (const name of ['highlight', 'vector']) assert.equal(name in plain.hits[0]!, false, name)
  for (const name of ['words', 'below']) assert.equal(name in plain, false, name)
  const full = await answered({ highlight: true, includeVectors: true, explain: true })
  const { highlight, vector, pageContent } = full.hits.find(({ metadata }) => metadata.at === 0)!
  assert.equal(pageContent.slice(highlight!.from, highlight!.to), 'It eats fish.')
  assert.deepEqual(vector!.map(Math.round), [1, 0])
  assert.ok(full.words!.length > 0)
  assert.ok('below' in full)
})

test('a sentence is chosen by its meaning too where the embedder is here', async () => {
  const embedded: string[] = []
  const local = (isLocal: boolean): Embedder => ({
    ...embedder,
    ...(isLocal ? { local: true } : {}),
    async embed(texts) {
      embedded.push(...texts)
      return texts.map(() => angle(0))
    },
  })
  const asked: RetrievalOverrides = { mode: 'hybrid', highlight: true }
  await answered(asked, {}, local(false))
  assert.deepEqual(embedded, [])
  await answered(asked, { vector: undefined }, local(true))
  assert.deepEqual(embedded, [])
  await answered(asked, {}, local(true))
  assert.ok(embedded.length > 0)
})

test('an answer without hits is not unlikely: there is nothing to doubt', async () => {
  const { hits, unlikely } = await answered({ filter: parseFilter({ at: 99 }) })
  assert.deepEqual([hits, unlikely], [[], false])
})
