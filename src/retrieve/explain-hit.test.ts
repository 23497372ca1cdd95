import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { publishChunks } from '../../test/support/publish-chunks.ts'
import { sharedStores } from '../../test/support/store.ts'
import type { Reranker } from '../contract/reranker.ts'
import { builtInEmbedder } from '../embed/builtin.ts'
import { createRetriever } from './run.ts'
import type { RetrievalOverrides } from './settings.ts'

const { stores } = sharedStores()
const store = stores.open('explained')
const { retrieve } = createRetriever()
const embedder = builtInEmbedder()

/** Texts of which several are equal on both sides, in sources of their own. */
const TEXTS = [
  'The ferry to Bergen leaves at noon.',
  'The ferry to Bergen leaves at noon.',
  'The ferry to Oslo leaves in the evening, and the train at noon.',
  'Tea is made of leaves.',
  'Nobody knows when the last ferry leaves.',
  'A ferry is a boat.',
  'A ferry is a ship.',
  'The harbour is closed.',
]

/** Prefers short texts. */
const reranker: Reranker = {
  id: 'test/short-first',
  rerank: async (_, texts, { limit }) =>
    texts
      .map((text, index) => ({ index, score: 1 / text.length }))
      .sort((one, other) => other.score - one.score)
      .slice(0, limit),
}

before(async () => {
  const vectors = await embedder.embed(TEXTS)
  await publishChunks(
    store,
    embedder.id,
    TEXTS.map((text, at) => ({
      ...{ source: `${at}.txt`, text, metadata: { at } },
      vector: vectors[at]!,
    })),
  )
})

function* combinations(): Generator<RetrievalOverrides> {
  for (const mode of ['hybrid', 'vector', 'keyword'] as const)
    for (const fusion of ['convex', 'rrf'] as const)
      for (const rescore of [true, false])
        for (const minScore of mode === 'keyword' ? [undefined] : [undefined, 0.1])
          for (const nearDuplicates of [false, 0.95])
            for (const mmr of [false, { lambda: 0.6, fetchK: 6 }] as const)
              for (const rerank of [true, false])
                yield {
                  ...{ mode, fusion, rescore, nearDuplicates, mmr, rerank, explain: true },
                  ...(minScore === undefined ? {} : { minScore }),
                }
}

test('the parts of each hit add up to the score that it was ranked by, in every combination of settings [query:explain]', async () => {
  const part = {
    store,
    embedder,
    loaders: [],
    retrieval: { topK: 5, searchType: 'similarity' as const, reranker },
  }
  for (const asked of combinations()) {
    const [hits] = await retrieve(part, ['When does the ferry to Bergen leave?'], asked)
    const about = JSON.stringify(asked)
    assert.ok(hits!.length > 1, about)
    for (const [at, { id, score, scores, parts, rankedScore, ranks, mmr }] of hits!.entries()) {
      const sum = Object.values(parts!).reduce((total, one) => total + one, 0)
      assert.ok(Math.abs(sum - rankedScore!) < 1e-12, `${about}: ${sum} is not ${rankedScore}`)
      assert.equal(score, asked.rerank ? scores.rerank : rankedScore, about)
      assert.equal(ranks!.vector === null, scores.vector === null, about)
      assert.equal(ranks!.keyword === null, scores.keyword === null, about)
      assert.equal(ranks!.reranked !== undefined, asked.rerank, about)
      const isRescored =
        asked.rescore && !asked.rerank && asked.mode === 'hybrid' && asked.fusion === 'convex'
      assert.equal(ranks!.rescored !== undefined, isRescored, about)
      if (!asked.mmr) {
        assert.equal(mmr, undefined)
        const place = ranks!.reranked ?? ranks!.rescored ?? ranks!.combined
        // Near duplicates that were left out have had places too.
        assert.ok(asked.nearDuplicates ? place >= at + 1 : place === at + 1, about)
        continue
      }
      const earlier = hits!.slice(0, at)
      assert.equal(mmr!.closest === null, at === 0, about)
      assert.ok(at === 0 || earlier.some((one) => one.id === mmr!.closest), `${about}: ${id}`)
      assert.ok(mmr!.relevance <= 1 && Math.abs(mmr!.likeness) <= 1 + 1e-6, about)
    }
  }
})

test('without explain a hit has none of it [query:explain]', async () => {
  const part = { store, embedder, loaders: [], retrieval: { topK: 5, searchType: 'mmr' as const } }
  const [hits] = await retrieve(part, ['ferry'], {})
  for (const hit of hits!)
    for (const key of ['parts', 'rankedScore', 'ranks', 'mmr']) assert.equal(key in hit, false)
})
