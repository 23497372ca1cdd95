import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hashEmbedder } from '../../test/support/hash-embedder.ts'
import { publishChunks } from '../../test/support/publish-chunks.ts'
import { sharedStores } from '../../test/support/store.ts'
import type { Embedder } from '../contract/embedder.ts'
import type { Reranker } from '../contract/reranker.ts'
import type { RetrievalSettings } from '../contract/retrieval.ts'
import { SluiceError } from '../kit/errors.ts'
import { parseFilter } from '../vector/filter.ts'
import { createRetriever } from './run.ts'
import type { RetrievalOverrides } from './settings.ts'

const { stores } = sharedStores()
const store = stores.open('ours')
const { retrieve } = createRetriever()

/** Chunks, the directions their vectors take, and a word that only some hold. */
const CHUNKS = [
  { text: 'the heron waits', angle: 0, team: 'red' },
  { text: 'the otter swims', angle: 20, team: 'blue' },
  { text: 'a heron and a heron', angle: 90, team: 'red' },
  { text: 'nothing of note', angle: 180, team: 'blue' },
]

const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180))

/** Asks in the direction of 0 degrees, whatever is asked. */
const embedder: Embedder = {
  ...hashEmbedder({ id: 'compass', dimensions: 2 }),
  embedQuery: async () => at(0),
}

const partWith = (more: { embedder?: Embedder; namespace?: string } & Partial<RetrievalSettings> = {}) => {
  const { embedder: own, namespace, ...retrieval } = more
  return {
    store: namespace ? stores.open(namespace) : store,
    embedder: own ?? embedder,
    loaders: [],
    retrieval: { topK: 10, searchType: 'similarity' as const, ...retrieval },
  }
}

/** Long enough for a confidence. */
const QUESTION = 'what is the heron doing?'

const ask = async (query: string, asked: RetrievalOverrides = {}, part = partWith()) =>
  (await retrieve(part, [query], asked))[0]!

before(async () => {
  const chunks = CHUNKS.map(({ text, team, angle }) => ({
    ...{ source: 'a', text, metadata: { team }, vector: at(angle) },
  }))
  await publishChunks(store, 'compass', chunks)
})

const texts = (found: { pageContent: string }[]) => found.map(({ pageContent }) => pageContent)
const near = (a: number | null, b: number) => a !== null && Math.abs(a - b) < 1e-6

test('retrieve() with mode vector ranks by the exact cosine, and the keyword score is null', async () => {
  const found = await ask('heron', { mode: 'vector' })
  assert.deepEqual(
    texts(found),
    CHUNKS.map(({ text }) => text),
  )
  for (const [i, { score, scores }] of found.entries()) {
    assert.ok(near(score, Math.cos((CHUNKS[i]!.angle * Math.PI) / 180)), `${score}`)
    assert.deepEqual([scores.vector, scores.keyword], [score, null])
  }
})

test('retrieve() with mode keyword returns only chunks with a word of the query, the best with score 1 and the vector score null', async () => {
  const found = await ask('heron', { mode: 'keyword' })
  assert.deepEqual(texts(found).sort(), ['a heron and a heron', 'the heron waits'])
  assert.equal(found[0]!.score, 1)
  assert.ok(found[1]!.score > 0 && found[1]!.score < 1)
  assert.ok(found.every(({ scores }) => scores.vector === null && scores.keyword! > 0))
})

test('retrieve() with mode hybrid adds half the cosine and half the share of the best BM25 of the query', async () => {
  const found = await ask('heron')
  const best = Math.max(...found.map(({ scores }) => scores.keyword ?? 0))
  assert.equal(found.length, 4)
  for (const { score, scores } of found)
    assert.ok(near(score, 0.5 * scores.vector! + 0.5 * ((scores.keyword ?? 0) / best)))
  assert.equal(found[0]!.pageContent, 'the heron waits')
  assert.deepEqual(
    found.map(({ score }) => score),
    found.map(({ score }) => score).toSorted((a, b) => b - a),
  )
})

test('retrieve() returns topK of the request, else of the node, for each query', async () => {
  assert.equal((await ask('heron', {}, partWith({ topK: 3 }))).length, 3)
  assert.equal((await ask('heron', { topK: 1 }, partWith({ topK: 3 }))).length, 1)
  const answers = await retrieve(partWith(), ['otter', 'note'], { mode: 'keyword' })
  assert.deepEqual(answers.map(texts), [['the otter swims'], ['nothing of note']])
})

test('retrieve() compares minScore with the cosine in both modes that have one', async () => {
  for (const mode of ['hybrid', 'vector'] as const)
    assert.deepEqual(texts(await ask('heron', { mode, minScore: 0.5 })), [
      'the heron waits',
      'the otter swims',
    ])
  await assert.rejects(
    ask('heron', { mode: 'keyword', minScore: 0.5 }),
    (error: unknown) => error instanceof SluiceError && error.code === 'query_invalid',
  )
})

test('retrieve() applies the filter of the request in addition to that of the node', async () => {
  const filtered = partWith({ filter: parseFilter({ team: 'red' }) })
  const asked = (raw: object): RetrievalOverrides => ({ filter: parseFilter(raw) })
  assert.equal((await ask('heron', {}, filtered)).length, 2)
  assert.deepEqual(await ask('heron', asked({ team: 'blue' }), filtered), [])
  assert.equal((await ask('heron', asked({ team: { $ne: 'green' } }), filtered)).length, 2)
  assert.equal(
    (await ask('heron', asked({ $or: [{ team: 'blue' }, { team: { $ne: 'blue' } }] }), filtered)).length,
    2,
  )
  assert.equal((await ask('heron', asked({ team: 'blue' }))).length, 2)
})

test('retrieve() refuses an index of another embedder, except by keyword', async () => {
  const part = partWith({ embedder: hashEmbedder({ id: 'another', dimensions: 2 }) })
  for (const mode of ['hybrid', 'vector'] as const)
    await assert.rejects(
      ask('heron', { mode }, part),
      (error: unknown) => error instanceof SluiceError && error.code === 'embedder_changed',
    )
  assert.equal((await ask('heron', { mode: 'keyword' }, part)).length, 2)
})

test('retrieve() does not call the embedder for an empty store', async () => {
  const silent = { ...embedder, embedQuery: () => assert.fail('an empty index needs no vector') }
  for (const mode of ['hybrid', 'vector', 'keyword'] as const)
    assert.deepEqual(await ask('heron', { mode }, partWith({ embedder: silent, namespace: 'empty' })), [])
})

/** Judges by the length of the texts, and remembers what it was asked. */
function lengthReranker() {
  const asked: { query: string; texts: readonly string[]; limit: number }[] = []
  const reranker: Reranker = {
    id: 'length',
    async rerank(query, texts, { limit }) {
      asked.push({ query, texts, limit })
      return texts
        .map((text, index) => ({ index, score: text.length }))
        .toSorted((one, other) => other.score - one.score)
        .slice(0, limit)
    },
  }
  return { reranker, asked }
}

test('retrieve() takes the weight of the request, else of the node, else of the embedder', async () => {
  const weightOf = async (asked: RetrievalOverrides, part = partWith()) => {
    const found = await ask('heron', asked, part)
    // The second of the chunks has no word of the query: its score is its share of the cosine.
    const { score, scores } = found.find(({ pageContent }) => pageContent === CHUNKS[1]!.text)!
    return Math.round((score / scores.vector!) * 100) / 100
  }
  const neural = { ...embedder, hybridWeight: 0.7 }
  assert.equal(await weightOf({}), 0.5)
  assert.equal(await weightOf({}, partWith({ embedder: neural })), 0.7)
  assert.equal(await weightOf({}, partWith({ embedder: neural, weight: 0.2 })), 0.2)
  assert.equal(await weightOf({ weight: 1 }, partWith({ weight: 0.2 })), 1)
})

test('retrieve() takes the default weight for each question where the embedder has one by script [query:weight:scripts]', async () => {
  const byScript = {
    ...embedder,
    hybridWeight: 0.4,
    hybridWeightFor: (question: string) => (question === 'heron' ? 0.1 : 0.3),
  }
  const weightOf = async (queries: string[], weight?: number) => {
    let used = 0
    const part = partWith({ embedder: byScript })
    const asked = weight === undefined ? {} : { weight }
    const answers = await createRetriever().retrieve(part, queries, asked, undefined, ({ settings }) => {
      used = settings.weight
    })
    return { used, answers }
  }
  assert.equal((await weightOf(['heron'])).used, 0.1)
  assert.equal((await weightOf(['otter'])).used, 0.3)
  assert.equal((await weightOf(['heron'], 0.6)).used, 0.6)
  const both = async (weight?: number) => (await weightOf(['heron', 'otter'], weight)).answers
  assert.deepEqual(await both(), [(await both(0.1))[0], (await both(0.3))[1]])
  assert.notDeepEqual((await both(0.1))[0], (await both(0.3))[0])
})

test('retrieve() fuses by ranks if the request sets it', async () => {
  const found = await ask('heron', { fusion: 'rrf' }, partWith({ weight: 1 }))
  assert.deepEqual(texts(found.slice(0, 2)), ['the heron waits', 'a heron and a heron'])
  assert.ok(found.every(({ score }) => score < 2 / 60))
  const byCard = await ask('heron', {}, partWith({ fusion: 'rrf' }))
  assert.deepEqual(byCard, found)
})

test('retrieve() with MMR prefers chunks that differ from the chosen ones, by request or by node', async () => {
  const different = ['the heron waits', 'nothing of note']
  const asked = { mode: 'vector', topK: 2 } as const
  assert.deepEqual(texts(await ask('heron', asked)), ['the heron waits', 'the otter swims'])
  assert.deepEqual(texts(await ask('heron', { ...asked, mmr: { lambda: 0.4 } })), different)
  const card = partWith({ searchType: 'mmr', lambda: 0.4 })
  assert.deepEqual(texts(await ask('heron', asked, card)), different)
  assert.equal(texts(await ask('heron', { ...asked, mmr: false }, card))[1], 'the otter swims')
  assert.equal(texts(await ask('heron', { ...asked, mmr: { fetchK: 3 } }, card))[1], 'a heron and a heron')
})

test('retrieve() leaves out near duplicates if the request sets it, and returns others in their place', async () => {
  const asked = { mode: 'vector', topK: 2 } as const
  const distinct = ['the heron waits', 'a heron and a heron']
  assert.deepEqual(texts(await ask('heron', { ...asked, nearDuplicates: 0.9 })), distinct)
  assert.deepEqual(texts(await ask('heron', asked, partWith({ nearDuplicates: 0.9 }))), distinct)
  const card = partWith({ nearDuplicates: 0.9 })
  for (const nearDuplicates of [true, false])
    assert.equal(texts(await ask('heron', { ...asked, nearDuplicates }, card))[1], 'the otter swims')
})

test('retrieve() orders by the reranker of the node, unless the request switches it off', async () => {
  const { reranker, asked } = lengthReranker()
  const part = partWith({ reranker, topK: 2 })
  const found = await ask('heron', { mode: 'vector' }, part)
  assert.deepEqual(texts(found), ['a heron and a heron', 'the heron waits'])
  assert.deepEqual(
    found.map(({ score, scores }) => [score, scores.rerank]),
    [
      [19, 19],
      [15, 15],
    ],
  )
  assert.deepEqual([asked[0]!.query, asked[0]!.texts.length, asked[0]!.limit], ['heron', 4, 2])
  const plain = await ask('heron', { mode: 'vector', rerank: false }, part)
  assert.deepEqual(texts(plain), ['the heron waits', 'the otter swims'])
  assert.ok(!('rerank' in plain[0]!.scores))
  await assert.rejects(ask('heron', { rerank: true }), /no reranker/)
})

test('retrieve() does not call the reranker without candidates', async () => {
  const { reranker, asked } = lengthReranker()
  assert.deepEqual(await ask('wombat', { mode: 'keyword' }, partWith({ reranker })), [])
  assert.deepEqual(asked, [])
})

test('retrieve() returns vectors only if the request sets it', async () => {
  const [first] = await ask('heron', { mode: 'keyword', includeVectors: true, topK: 1 })
  assert.equal(first!.vector!.length, 2)
  const compared = await ask('heron', { mmr: {} })
  assert.ok(compared.every((one) => !('vector' in one)))
})

test('retrieve() embeds several queries in one call', async () => {
  const calls: number[] = []
  const counting: Embedder = {
    ...embedder,
    embed: async (given) => {
      calls.push(given.length)
      return given.map(() => at(0))
    },
  }
  const answers = await retrieve(partWith({ embedder: counting }), ['otter', 'note', 'heron'])
  assert.deepEqual([calls, answers.length], [[3], 3])
})

test('retrieve() stops when its signal aborts', async () => {
  await assert.rejects(
    retrieve(partWith(), ['otter'], {}, AbortSignal.abort(new Error('gone'))),
    /gone|cancelled/,
  )
})

test('retrieve() gives a confidence by keywords alone with an embedder that it was not fitted for, by vector none [query:confidence]', async () => {
  const confidences = async (asked: RetrievalOverrides) =>
    new Map((await ask(QUESTION, asked)).map(({ pageContent, confidence }) => [pageContent, confidence]))
  assert.deepEqual([...(await confidences({ mode: 'vector' })).values()], [null, null, null, null])
  for (const mode of ['hybrid', 'keyword'] as const) {
    const found = await confidences({ mode })
    assert.ok(found.get('the heron waits')! > 0 && found.get('the heron waits')! < 1)
    assert.equal(found.get('nothing of note') ?? null, null)
  }
})

test('retrieve() gives the same confidence whatever topK, weight, fusion and MMR are', async () => {
  const first = async (asked: RetrievalOverrides) => {
    const found = await ask(QUESTION, asked, partWith({ namespace: 'ours' }))
    return found.find(({ pageContent }) => pageContent === 'the heron waits')!.confidence
  }
  const wanted = await first({})
  assert.equal(typeof wanted, 'number')
  for (const asked of [
    { topK: 1 },
    { topK: 2, fusion: 'rrf' },
    { weight: 1 },
    { mmr: { lambda: 0.4 } },
  ] as const)
    assert.equal(await first(asked), wanted)
})

test('retrieve() searches the terms of earlier questions with less weight, and gives no confidence then [query:history]', async () => {
  const plain = await ask('where', { mode: 'keyword' })
  assert.deepEqual(texts(plain), [])
  const found = await ask('where does it swim? otter', { mode: 'keyword', history: ['which heron?'] })
  assert.deepEqual(texts(found), ['the otter swims', 'a heron and a heron', 'the heron waits'])
  assert.ok(found.every(({ confidence }) => confidence === null))
  // The question itself comes first, also where an earlier one has the same word.
  assert.equal(
    texts(await ask('heron', { mode: 'keyword', history: ['otter'] }))[0],
    texts(await ask('heron', { mode: 'keyword' }))[0],
  )
})

test('retrieve() embeds the question and the earlier ones together, once for all queries [query:history]', async () => {
  const batches: (readonly string[])[] = []
  const counting: Embedder = {
    ...embedder,
    async embed(all) {
      batches.push(all)
      return all.map((text) => at(text === 'earlier' ? 90 : 0))
    },
  }
  const part = partWith({ embedder: counting })
  const [first] = await retrieve(part, ['one', 'two'], { mode: 'vector', history: ['earlier'] })
  assert.deepEqual(batches, [['one', 'two', 'earlier']])
  // Between the directions of both, and nearer to the question.
  assert.deepEqual(texts(first!), [
    'the otter swims',
    'the heron waits',
    'a heron and a heron',
    'nothing of note',
  ])
})

test('retrieve() gives no confidence to questions of other lengths than it was fitted on, nor to those about code [query:confidence]', async () => {
  const confidences = async (query: string) =>
    (await ask(query, { mode: 'keyword' })).map(({ confidence }) => confidence)
  for (const query of [
    'heron',
    'the heron?',
    `${'does it wait '.repeat(20)}for the heron`,
    'does wait_for() find the heron?',
  ])
    assert.deepEqual(await confidences(query), [null, null], query)
  assert.ok((await confidences(QUESTION)).every((one) => typeof one === 'number'))
})
