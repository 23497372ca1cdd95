import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { quickstartLoading, quickstartPart } from '../../bench/eval.ts'
import { emptyStore } from '../../bench/support/empty-store.ts'
import { readCollection } from '../../src/evaluate/collection.ts'
import { measureRankings } from '../../src/evaluate/ranking-quality.ts'
import { loadCollection } from '../../src/evaluate/run.ts'
import { evenly } from '../../src/evaluate/timing.ts'
import { querySettings } from '../../src/retrieve/settings.ts'

const corpus = process.env.SLUICE_CORPUS

/** Small collections, and the nDCG@10 that plain BM25 with the same chunks reaches on each. */
const COLLECTIONS: [name: string, bm25: number][] = [
  ['anthropic_docs', 0.761],
  ['faquad_pt', 0.896],
  ['xquad_hi', 0.945],
  ['xquad_zh', 0.967],
]
const QUERIES = 300

if (corpus === undefined) test('retrieval over the collections', { skip: 'SLUICE_CORPUS is not set' })
else
  for (const [name, bm25] of COLLECTIONS)
    test(`retrieval on ${name}: keywords find what BM25 does, both sides together no less than the better one`, async () => {
      const collection = await readCollection(path.join(corpus, 'retrieval', name))
      await using opened = emptyStore()
      const { signal } = new AbortController()
      const part = quickstartPart(opened.store)
      await loadCollection(part, { ...quickstartLoading(), collection, signal })
      const { modes } = await measureRankings(
        part,
        evenly(collection.queries, QUERIES),
        querySettings(part, {}),
        { signal, onQuery() {} },
      )
      const { keyword, vector, hybrid } = modes
      // A part of the queries is a little easier or harder than all of them.
      assert.ok(keyword.ndcg10 > bm25 - 0.03, `keyword ${keyword.ndcg10}`)
      assert.ok(hybrid.ndcg10 > Math.max(keyword.ndcg10, vector.ndcg10) - 0.01, `hybrid ${hybrid.ndcg10}`)
    })
