import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hashEmbedder } from '../../test/support/hash-embedder.ts'
import { sharedStores } from '../../test/support/store.ts'
import type { Embedder } from '../contract/embedder.ts'
import type { Filter } from '../contract/filter.ts'
import { SluiceError } from '../kit/errors.ts'
import { fingerprint } from '../kit/hash.ts'
import { parseFilter } from '../vector/filter.ts'
import { createRetriever, type Asked } from './run.ts'

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

const partWith = (
  more: { embedder?: Embedder; filter?: Filter; topK?: number; namespace?: string } = {},
) => ({
  store: more.namespace ? stores.open(more.namespace) : store,
  embedder: more.embedder ?? embedder,
  loaders: [],
  retrieval: {
    topK: more.topK ?? 10,
    searchType: 'similarity' as const,
    ...(more.filter ? { filter: more.filter } : {}),
  },
})

const ask = async (query: string, asked: Asked = {}, part = partWith()) =>
  (await retrieve(part, [query], asked))[0]!

before(async () => {
  const run = await store.open('compass')
  const chunks = CHUNKS.map(({ text, team }) => {
    const metadata = JSON.stringify({ team })
    return { source: 'a', text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata) }
  })
  await run.stage(chunks, Float32Array.from(CHUNKS.flatMap(({ angle }) => [...at(angle)])), 2)
  await run.publish({ born: chunks.length, dying: [], files: [], touched: [], forget: [] })
  await run.settle()
})

const texts = (found: { pageContent: string }[]) => found.map(({ pageContent }) => pageContent)
const near = (a: number | null, b: number) => a !== null && Math.abs(a - b) < 1e-6

test('retrieve() by meaning ranks by the exact cosine, and the keyword side is null', async () => {
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

test('retrieve() by keyword gives only what holds a word, best 1, and the meaning side is null', async () => {
  const found = await ask('heron', { mode: 'keyword' })
  assert.deepEqual(texts(found).sort(), ['a heron and a heron', 'the heron waits'])
  assert.equal(found[0]!.score, 1)
  assert.ok(found[1]!.score > 0 && found[1]!.score < 1)
  assert.ok(found.every(({ scores }) => scores.vector === null && scores.keyword! > 0))
})

test('retrieve() by both takes half of each side: cosine, and BM25 by the best of the query', async () => {
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

test('retrieve() gives as many as asked, else as the card says, and an answer per question', async () => {
  assert.equal((await ask('heron', {}, partWith({ topK: 3 }))).length, 3)
  assert.equal((await ask('heron', { topK: 1 }, partWith({ topK: 3 }))).length, 1)
  const answers = await retrieve(partWith(), ['otter', 'note'], { mode: 'keyword' })
  assert.deepEqual(answers.map(texts), [['the otter swims'], ['nothing of note']])
})

test('retrieve() holds minScore against the cosine in either mode that has one', async () => {
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

test('retrieve() narrows by the filter of the request and never past the one of the card', async () => {
  const fenced = partWith({ filter: parseFilter({ team: 'red' }) })
  const asked = (raw: object): Asked => ({ filter: parseFilter(raw) })
  assert.equal((await ask('heron', {}, fenced)).length, 2)
  assert.deepEqual(await ask('heron', asked({ team: 'blue' }), fenced), [])
  assert.equal((await ask('heron', asked({ team: { $ne: 'green' } }), fenced)).length, 2)
  assert.equal((await ask('heron', asked({ $or: [{ team: 'blue' }, {}] }), fenced)).length, 2)
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

test('retrieve() asks the embedder nothing where there is nothing to find', async () => {
  const silent = { ...embedder, embedQuery: () => assert.fail('an empty index needs no vector') }
  for (const mode of ['hybrid', 'vector', 'keyword'] as const)
    assert.deepEqual(await ask('heron', { mode }, partWith({ embedder: silent, namespace: 'empty' })), [])
})
