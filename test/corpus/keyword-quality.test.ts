import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { type Collection, readCollection } from '../../src/evaluate/collection.ts'
import { QualityMeter } from '../../src/evaluate/measures.ts'
import { evenly } from '../../src/evaluate/timing.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { recursiveSplitter } from '../../src/text/recursive.ts'
import { temporaryDatabase } from '../support/store.ts'
import { publishTexts, sourcesByKeyword } from '../support/text-chunks.ts'

const corpus = process.env.SLUICE_CORPUS

/** nDCG@10 of plain BM25 with k1 0.9, b 0.4, light English stemming, and pairs of characters for Chinese and Japanese. */
const BM25: [collection: string, ndcg10: number][] = [
  ['anthropic_docs', 0.761],
  ['arcd_ar', 0.765],
  ['chunking_eval', 0.999],
  ['clapnq_dev', 0.944],
  ['cmrc2018_zh_hans_dev', 0.981],
  ['cosqa_code_dev', 0.368],
  ['covidqa_longdocs', 0.845],
  ['faquad_pt', 0.896],
  ['jaquad_ja_dev', 0.902],
  ['piaf_fr', 0.782],
  ['squad_dev', 0.884],
  ['xquad_de', 0.928],
  ['xquad_en', 0.968],
  ['xquad_es', 0.955],
  ['xquad_hi', 0.945],
  ['xquad_zh', 0.967],
]
const TOLERANCE = 0.02
const QUERIES = 400

/** Only longer documents are cut. */
const LONGEST_WHOLE = 2000
const splitter = recursiveSplitter({ chunkSize: 1000, chunkOverlap: 0 })

const passagesOf = (document: string): string[] =>
  document.length <= LONGEST_WHOLE ? [document] : splitter.split(document).map(({ text }) => text)

/** The sources that are judged. Where documents were cut, ten of them need more chunks. */
async function firstTen(store: ChunkStore, text: string): Promise<string[]> {
  const found = await sourcesByKeyword(store, text, 10)
  return found.length < 10 ? sourcesByKeyword(store, text) : found
}

async function keywordNdcg(t: TestContext, collection: Collection): Promise<number> {
  const store = builtInStores(temporaryDatabase(t)).open('n')
  await publishTexts(
    store,
    collection.documents.map(({ id, title, text }) => ({
      source: id,
      texts: passagesOf(`${title} ${text}`.trim()),
    })),
  )
  const meter = new QualityMeter()
  for (const { text, judged } of evenly(collection.queries, QUERIES))
    meter.add(await firstTen(store, text), judged)
  return meter.mean().ndcg10
}

if (corpus === undefined) test('keyword search over the collections', { skip: 'SLUICE_CORPUS is not set' })
else
  for (const [name, bm25] of BM25)
    test(`keyword search on ${name} finds what plain BM25 does`, async (t) => {
      const found = await keywordNdcg(t, await readCollection(path.join(corpus, 'retrieval', name)))
      t.diagnostic(`nDCG@10 ${found.toFixed(3)}, of plain BM25 ${bm25}`)
      assert.ok(found >= bm25 - TOLERANCE, `${found}`)
    })
