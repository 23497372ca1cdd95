import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StorePart } from '../contract/card.ts'
import type { Reranker } from '../contract/reranker.ts'
import type { RetrievalSettings } from '../contract/retrieval.ts'
import { parseFilter } from '../vector/filter.ts'
import { RESCORED_EMBEDDER } from './rescoring/rescoring-weights.ts'
import { querySettings, type RetrievalOverrides, weightFor } from './settings.ts'

const reranker: Reranker = { id: 'test/reranker', rerank: async () => [] }

type Given = {
  node?: Partial<RetrievalSettings>
  asked?: RetrievalOverrides
  embedder?: { id?: string; hybridWeight?: number }
  keywords?: boolean
  spelling?: boolean
  ranks?: boolean
}

function settingsOf({ node, asked = {}, embedder, keywords = true, spelling = true, ranks = true }: Given) {
  const part = {
    store: {
      capabilities: { keywords, spelling },
      searchRanked: ranks ? async () => {} : undefined,
    },
    embedder: { id: RESCORED_EMBEDDER, ...embedder },
    retrieval: { topK: 4, searchType: 'similarity', ...node },
  } as unknown as StorePart
  return querySettings(part, asked)
}

const refused = (reason: RegExp) => ({ code: 'query_invalid', message: reason })

test('querySettings() has defaults for what neither request nor node sets', () => {
  assert.deepEqual(settingsOf({}), {
    ...{ topK: 4, mode: 'hybrid', metric: 'cosine', fusion: 'convex', weight: 0.5, isDefaultWeight: true },
    ...{ minScore: undefined, filter: undefined, mmr: undefined, nearDuplicates: undefined },
    ...{ reranker: undefined, spelling: true, rescore: true },
    ...{ includeVectors: false, highlight: false, explain: false },
  })
})

test('querySettings() takes what the node sets, and before it what the request asks', () => {
  const node: Partial<RetrievalSettings> = {
    ...({ topK: 7, mode: 'vector', metric: 'dot', fusion: 'rrf', weight: 0.2, minScore: 0.1 } as const),
    ...{ nearDuplicates: 0.9, spelling: false, rescore: false, reranker },
  }
  assert.partialDeepStrictEqual(settingsOf({ node }), {
    ...{ topK: 7, mode: 'vector', metric: 'dot', fusion: 'rrf', weight: 0.2, isDefaultWeight: false },
    ...{ minScore: 0.1, nearDuplicates: 0.9, reranker },
  })
  const asked: RetrievalOverrides = {
    ...({ topK: 0, mode: 'hybrid', fusion: 'convex', weight: 0, minScore: 0 } as const),
    ...{ nearDuplicates: 0.8, includeVectors: true, highlight: true, explain: true },
  }
  assert.partialDeepStrictEqual(settingsOf({ node, asked }), {
    ...{ topK: 0, mode: 'hybrid', fusion: 'convex', weight: 0, isDefaultWeight: false },
    ...{ minScore: 0, nearDuplicates: 0.8 },
    ...{ includeVectors: true, highlight: true, explain: true },
  })
  assert.equal(settingsOf({ asked: { weight: 0.3 } }).isDefaultWeight, false)
})

test('querySettings() uses the vectors alone where the store has no keywords, and refuses keywords there', () => {
  for (const asked of [{}, { mode: 'hybrid' }, { mode: 'vector' }] as const)
    assert.equal(settingsOf({ asked, keywords: false }).mode, 'vector')
  assert.throws(
    () => settingsOf({ asked: { mode: 'keyword' }, keywords: false }),
    refused(/the vector store of the flow has no keyword search/),
  )
  assert.equal(settingsOf({ asked: { mode: 'keyword' } }).mode, 'keyword')
})

test('querySettings() refuses minScore of request or node in mode keyword', () => {
  const reason = refused(/minScore cannot be used with mode=keyword/)
  assert.throws(() => settingsOf({ asked: { mode: 'keyword', minScore: 0 } }), reason)
  assert.throws(() => settingsOf({ node: { minScore: 0.5 }, asked: { mode: 'keyword' } }), reason)
  assert.equal(settingsOf({ asked: { mode: 'vector', minScore: 0.5 } }).minScore, 0.5)
})

test('querySettings() uses the reranker of the node unless the request says no, and refuses one that is not there', () => {
  const node = { reranker }
  for (const asked of [{}, { rerank: true }]) assert.equal(settingsOf({ node, asked }).reranker, reranker)
  assert.equal(settingsOf({ node, asked: { rerank: false } }).reranker, undefined)
  assert.equal(settingsOf({ asked: { rerank: false } }).reranker, undefined)
  assert.throws(
    () => settingsOf({ asked: { rerank: true } }),
    refused(/no reranker is plugged into the flow/),
  )
})

for (const [what, given, rescore] of [
  ['no request or node', {}, true],
  ['the request', { asked: { rescore: false } }, false],
  ['the node', { node: { rescore: false } }, false],
  ['the request, whatever the node says', { node: { rescore: false }, asked: { rescore: true } }, true],
  ['one side', { asked: { mode: 'vector' } }, false],
  ['ranks', { asked: { fusion: 'rrf' } }, false],
  ['another metric', { node: { metric: 'euclidean' } }, false],
  ['another embedder', { embedder: { id: 'other' } }, false],
  ['a store that does not rank', { ranks: false }, false],
  ['a reranker', { node: { reranker } }, false],
  ['a reranker that the request leaves out', { node: { reranker }, asked: { rerank: false } }, true],
] satisfies [string, Given, boolean][])
  test(`querySettings() ${rescore ? 'rescores' : 'does not rescore'} with ${what} against it`, () => {
    assert.equal(settingsOf(given).rescore, rescore)
    if (!rescore && !('asked' in given && 'rescore' in given.asked!) && given.node?.rescore === undefined)
      assert.equal(settingsOf({ ...given, asked: { ...given.asked, rescore: true } }).rescore, false)
  })

for (const [what, given, spelling] of [
  ['no request or node', {}, true],
  ['the request', { asked: { spelling: false } }, false],
  ['the node', { node: { spelling: false } }, false],
  ['the request, whatever the node says', { node: { spelling: false }, asked: { spelling: true } }, true],
  ['a store that cannot', { spelling: false, asked: { spelling: true } }, false],
  ['mode vector', { asked: { mode: 'vector', spelling: true } }, false],
] satisfies [string, Given, boolean][])
  test(`querySettings() ${spelling ? 'searches' : 'searches no'} other spellings with ${what} against it`, () => {
    assert.equal(settingsOf(given).spelling, spelling)
  })

test('querySettings() has MMR where the node or the request wants it, with the numbers of the request first', () => {
  const mmr = (node: Given['node'], asked?: RetrievalOverrides['mmr']) =>
    settingsOf({ ...(node ? { node } : {}), ...(asked === undefined ? {} : { asked: { mmr: asked } }) }).mmr
  assert.deepEqual(mmr({ searchType: 'mmr' }), { fetchK: 20, lambda: 0.5 })
  assert.deepEqual(mmr({ searchType: 'mmr', fetchK: 9, lambda: 0.1 }), { fetchK: 9, lambda: 0.1 })
  assert.deepEqual(mmr({ fetchK: 9, lambda: 0.1 }, {}), { fetchK: 9, lambda: 0.1 })
  assert.deepEqual(mmr({ searchType: 'mmr', fetchK: 9 }, { fetchK: 5, lambda: 0 }), { fetchK: 5, lambda: 0 })
  assert.equal(mmr({ searchType: 'mmr' }, false), undefined)
  assert.equal(mmr({ fetchK: 9 }), undefined)
})

test('querySettings() reads whether near duplicates are left out as a cosine', () => {
  const threshold = (nearDuplicates: number | boolean, ofNode?: number) =>
    settingsOf({
      asked: { nearDuplicates },
      ...(ofNode === undefined ? {} : { node: { nearDuplicates: ofNode } }),
    }).nearDuplicates
  assert.equal(threshold(true), 0.98)
  assert.equal(threshold(false, 0.9), undefined)
  assert.equal(threshold(0.7, 0.9), 0.7)
})

test('querySettings() narrows the filter of the node by that of the request', () => {
  const [ofNode, ofRequest] = [parseFilter({ team: 'red' }), parseFilter({ year: 2026 })]
  assert.equal(settingsOf({ node: { filter: ofNode } }).filter, ofNode)
  assert.equal(settingsOf({ asked: { filter: ofRequest } }).filter, ofRequest)
  assert.deepEqual(settingsOf({ node: { filter: ofNode }, asked: { filter: ofRequest } }).filter, {
    op: 'and',
    all: [ofNode, ofRequest],
  })
})

test('the weight is that of the request, the node, the question, the embedder, or a half', () => {
  const embedder = {
    id: 'e',
    hybridWeight: 0.7,
    hybridWeightFor: (question: string) => (question === 'うん' ? 0.9 : undefined),
  } as unknown as StorePart['embedder'] & { id: string; hybridWeight: number }
  const weight = (given: Given, question = 'yes') =>
    weightFor(settingsOf({ ...given, embedder }), embedder, question)
  assert.equal(weight({ asked: { weight: 0.1 }, node: { weight: 0.2 } }, 'うん'), 0.1)
  assert.equal(weight({ node: { weight: 0.2 } }, 'うん'), 0.2)
  assert.equal(weight({}, 'うん'), 0.9)
  assert.equal(weight({}), 0.7)
  const plain = { id: 'e' } as StorePart['embedder']
  assert.equal(weightFor(settingsOf({ embedder: { id: 'e' } }), plain, 'yes'), 0.5)
})
