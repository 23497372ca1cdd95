import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { askExpecting, assertProven } from '../../../test/support/proven-step.ts'
import { publishChunks } from '../../../test/support/publish-chunks.ts'
import { sharedStores } from '../../../test/support/store.ts'
import { randomBelow } from '../../../test/support/random.ts'
import type { StorePart } from '../../contract/card.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { Reranker } from '../../contract/reranker.ts'
import { builtInEmbedder } from '../../embed/builtin.ts'
import { parseFilter } from '../../vector/filter.ts'
import { createRetriever } from '../run.ts'
import type { RetrievalOverrides } from '../settings.ts'

const { stores } = sharedStores()
const store = stores.open('expected')
const embedder = builtInEmbedder()
const { retrieve } = createRetriever()

const WORDS =
  'ferry harbour noon leaves Bergen Oslo train ticket captain storm lighthouse island rope cargo winter boat evening pier'.split(
    ' ',
  )
const QUESTION = 'When does the ferry to Bergen leave the harbour?'

const below = randomBelow(28)
const TEXTS = Array.from({ length: 320 }, (_, at) => {
  const words = Array.from({ length: 6 + (at % 9) }, () => WORDS[below(WORDS.length)])
  return `${at % 16 === 0 ? 'The ferry to Bergen leaves at noon. ' : ''}${words.join(' ')} ${at}.`
})

/** Prefers short texts; counts how often it is asked. */
let calls = 0
const reranker: Reranker = {
  id: 'test/short-first',
  async rerank(_, texts, { limit }) {
    calls++
    return texts
      .map((text, index) => ({ index, score: 1 / text.length }))
      .sort((one, other) => other.score - one.score)
      .slice(0, limit)
  },
}

const partOf = (own: ChunkStore = store): StorePart => ({
  ...{ store: own, embedder, loaders: [] },
  retrieval: { topK: 4, searchType: 'similarity' as const, reranker },
})

const load = async (own: ChunkStore, texts: readonly string[], first = 0) => {
  const vectors = await embedder.embed(texts)
  await publishChunks(
    own,
    embedder.id,
    texts.map((text, at) => ({
      ...{ source: `${first + at}.txt`, text, vector: vectors[at]! },
      metadata: { source: `${first + at}.txt`, n: first + at },
    })),
  )
}

before(() => load(store, TEXTS))

/** The ids of the chunks in the order of a search. */
const ordered = async (asked: RetrievalOverrides): Promise<string[]> => {
  const [hits] = await retrieve(partOf(), [QUESTION], { topK: 1000, rerank: false, ...asked })
  return hits!.map(({ id }) => id)
}
const byMeaning = () => ordered({ mode: 'vector' })

function* combinations(): Generator<RetrievalOverrides> {
  for (const mode of ['hybrid', 'vector', 'keyword'] as const)
    for (const fusion of mode === 'hybrid' ? (['convex', 'rrf'] as const) : ['convex' as const])
      for (const rescore of mode === 'hybrid' ? [true, false] : [false])
        for (const minScore of mode === 'keyword' ? [undefined] : [undefined, 0.4])
          for (const nearDuplicates of [false, 0.8])
            for (const mmr of [false, { lambda: 0.4, fetchK: 12 }] as const)
              for (const rerank of [true, false])
                yield {
                  ...{ mode, fusion, rescore, nearDuplicates, mmr, rerank },
                  ...(minScore === undefined ? {} : { minScore }),
                }
}

test('what is said of a missing chunk holds: its step by changing that one alone, its change by the query with it, in every combination of settings [query:expect]', async () => {
  const ids = await byMeaning()
  const before = await ordered({ rescore: false })
  const steps = new Map<string, number>()
  for (const [at, asked] of [...combinations()].entries()) {
    const [plain] = await retrieve(partOf(), [QUESTION], asked)
    const far = [9, 31, 150, 319].map((place) => ids[(place + at) % ids.length]!)
    for (const id of [...far, ...[0, 1, 2].map((place) => before[(place + at) % 12]!)]) {
      const { hits, expected } = await askExpecting(partOf(), QUESTION, asked, { chunk: id })
      assert.deepEqual(hits, plain)
      await assertProven(partOf(), QUESTION, asked, id, expected)
      steps.set(`${expected.step}`, (steps.get(`${expected.step}`) ?? 0) + 1)
    }
  }
  const seen = [
    'null',
    'threshold',
    'noSide',
    'pool',
    'rescoring',
    'nearDuplicate',
    'reranker',
    'mmr',
    'topK',
  ]
  for (const step of seen) assert.ok(steps.has(step), `no ${step} among ${JSON.stringify([...steps])}`)
})

test('a source is told by the chunk of it that went furthest; a name that nothing has is not stored [query:expect]', async () => {
  const own = stores.open('sources')
  const vectors = await embedder.embed(TEXTS.slice(0, 40))
  await publishChunks(
    own,
    embedder.id,
    TEXTS.slice(0, 40).map((text, at) => ({
      ...{ source: at % 2 ? 'odd.txt' : 'even.txt', text, vector: vectors[at]! },
      metadata: { source: at % 2 ? 'odd.txt' : 'even.txt' },
    })),
  )
  const asked = { rerank: false, topK: 1 }
  const { hits, expected } = await askExpecting(partOf(own), QUESTION, asked, { source: 'even.txt' })
  assert.deepEqual([expected.step, expected.place, expected.chunk?.id], [null, 1, hits[0]!.id])
  const odd = (await askExpecting(partOf(own), QUESTION, asked, { source: 'odd.txt' })).expected
  const [ranked] = await retrieve(partOf(own), [QUESTION], { ...asked, topK: 40 })
  assert.equal(odd.chunk?.id, ranked!.find(({ metadata }) => metadata.source === 'odd.txt')!.id)
  assert.equal(odd.chunks, 20)
  for (const name of [{ source: 'none.txt' }, { chunk: 'none' }]) {
    const { expected: none } = await askExpecting(partOf(own), QUESTION, asked, name)
    assert.deepEqual([none.step, none.chunk, none.change], ['notStored', undefined, null])
  }
  const { expected: empty } = await askExpecting(partOf(stores.open('empty')), QUESTION, asked, {
    source: 'a',
  })
  assert.equal(empty.step, 'notStored')
})

test('a filter is told by the fields that are not met, and without those conditions the chunk is shown [query:expect]', async () => {
  const [hit] = (await retrieve(partOf(), [QUESTION], { rerank: false }))[0]!
  const filter = parseFilter({ n: { $gt: -1 }, source: 'another.txt' })
  const { expected } = await askExpecting(partOf(), QUESTION, { rerank: false, filter }, { chunk: hit!.id })
  assert.deepEqual([expected.step, expected.fields], ['filter', ['source']])
  assert.deepEqual(expected.change, { setting: 'filter', from: 'source', to: null, place: 1 })
  // The filter of the flow cannot be changed by a request.
  const part = partOf()
  const fixed = { ...part, retrieval: { ...part.retrieval, filter } }
  const other = (await askExpecting(fixed, QUESTION, { rerank: false }, { chunk: hit!.id })).expected
  assert.deepEqual([other.step, other.change, other.tries], ['filter', null, 0])
})

test('a reranker is called once for the answer, and at most twice more for a change [query:expect]', async () => {
  const ids = await byMeaning()
  for (const [at, id] of ids.slice(0, 20).entries()) {
    const nearDuplicates = at % 2 === 0 && 0.9
    calls = 0
    await askExpecting(partOf(), QUESTION, { nearDuplicates }, { chunk: id })
    assert.ok(calls >= 1 && calls <= 3, `${calls} calls`)
  }
})

test('where a publication comes in between, the answer is found out again; where it never rests, that is said [query:expect]', async () => {
  const own = stores.open('restless')
  await load(own, TEXTS.slice(0, 30))
  let publications = 0
  const restless = (times: number): ChunkStore => ({
    ...own,
    async named(request) {
      const named = await own.named(request)
      if (publications < times) {
        publications++
        await load(own, [`A new text ${publications}`], 1000 + publications)
      }
      return named
    },
  })
  const asked = { rerank: false }
  const once = (await askExpecting(partOf(restless(1)), QUESTION, asked, { source: '29.txt' })).expected
  assert.equal(publications, 1)
  assert.notEqual(once.step, 'untold')
  publications = 0
  const never = (await askExpecting(partOf(restless(99)), QUESTION, asked, { source: '29.txt' })).expected
  assert.deepEqual([never.step, never.isUnsettled, never.change], ['untold', true, null])
})
