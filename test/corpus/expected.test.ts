import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { quickstartLoading, quickstartPart } from '../../bench/eval.ts'
import { emptyStore } from '../../bench/support/empty-store.ts'
import type { Reranker } from '../../src/contract/reranker.ts'
import { readCollection } from '../../src/evaluate/collection.ts'
import { loadCollection } from '../../src/evaluate/run.ts'
import { evenly } from '../../src/evaluate/timing.ts'
import { createRetriever } from '../../src/retrieve/run.ts'
import type { RetrievalOverrides } from '../../src/retrieve/settings.ts'
import { askExpecting, assertProven } from '../support/proven-step.ts'

const corpus = process.env.SLUICE_CORPUS
const { retrieve } = createRetriever()

/** How many questions are asked, in turn, each with other combinations of settings: of a collection each combination is tried once. */
const QUESTIONS = 8
/** How many missing chunks are looked for. */
const MISSING = 200

const COLLECTIONS = [
  'anthropic_docs',
  'arcd_ar',
  'cmrc2018_zh_hans_dev',
  'faquad_pt',
  'flask_code',
  'piaf_fr',
  'xquad_de',
  'xquad_en',
  'xquad_es',
  'xquad_hi',
  'xquad_zh',
]

/** Prefers short texts. */
const reranker: Reranker = {
  id: 'test/short-first',
  rerank: async (_, texts, { limit }) =>
    texts
      .map((text, index) => ({ index, score: 1 / (1 + text.length) }))
      .sort((one, other) => other.score - one.score)
      .slice(0, limit),
}

function* combinations(): Generator<RetrievalOverrides> {
  for (const mode of ['hybrid', 'vector', 'keyword'] as const)
    for (const fusion of mode === 'hybrid' ? (['convex', 'rrf'] as const) : ['convex' as const])
      for (const rescore of mode === 'hybrid' ? [true, false] : [false])
        for (const minScore of mode === 'keyword' ? [undefined] : [undefined, 0.2])
          for (const nearDuplicates of [false, 0.95])
            for (const mmr of [false, { lambda: 0.6 }] as const)
              for (const rerank of [false, true])
                yield {
                  ...{ mode, fusion, rescore, nearDuplicates, mmr, rerank },
                  ...(minScore === undefined ? {} : { minScore }),
                }
}

async function opened(folder: string, name: string) {
  const collection = await readCollection(path.join(folder, 'retrieval', name))
  const own = emptyStore()
  const { signal } = new AbortController()
  const plain = quickstartPart(own.store)
  await loadCollection(plain, { ...quickstartLoading(), collection, signal })
  const part = { ...plain, retrieval: { ...plain.retrieval, reranker } }
  return { part, collection, own }
}

if (corpus === undefined) test('expected chunks of the collections', { skip: 'SLUICE_CORPUS is not set' })
else {
  for (const name of COLLECTIONS)
    test(`on ${name} the parts of each hit add up to its score, and its terms to its BM25, in every combination of settings [query:explain]`, async () => {
      const { part, collection, own } = await opened(corpus, name)
      await using _ = own
      let hits = 0
      const questions = evenly(collection.queries, QUESTIONS)
      for (const [at, asked] of [...combinations()].entries()) {
        // Not the same question for all combinations that differ in the last settings alone.
        const { text } = questions[(at * 5 + Math.floor(at / QUESTIONS)) % questions.length]!
        const [found] = await retrieve(part, [text], { ...asked, topK: 30, explain: true })
        for (const { parts, rankedScore, terms, scores } of found!) {
          const sum = Object.values(parts!).reduce((all, one) => all + one, 0)
          assert.ok(Math.abs(sum - rankedScore!) < 1e-9, `${text} ${JSON.stringify(asked)}`)
          const bm25 = (terms ?? []).reduce((all, { score }) => all + score, 0)
          if (terms)
            assert.ok(Math.abs(bm25 - (scores.keyword ?? 0)) < 1e-4, `${text} ${bm25} ${scores.keyword}`)
          hits++
        }
      }
      assert.ok(hits > 500)
    })

  test(`of ${MISSING} missing chunks the first step is proved by changing that one alone [query:expect]`, async (t) => {
    const { part, collection, own } = await opened(corpus, 'xquad_en')
    await using _ = own
    const settings = [...combinations()]
    const steps = new Map<string, number>()
    let proved = 0
    for (const [at, { text }] of evenly(collection.queries, MISSING * 3).entries()) {
      if (proved === MISSING) break
      const asked = settings[(at * 7) % settings.length]!
      const [wide] = await retrieve(part, [text], { topK: 100, mode: 'vector', rerank: false })
      const { id } = wide![(at * 13) % wide!.length]!
      const { expected } = await askExpecting(part, text, asked, { chunk: id })
      await assertProven(part, text, asked, id, expected)
      if (expected.step === null) continue
      proved++
      steps.set(expected.step, (steps.get(expected.step) ?? 0) + 1)
    }
    t.diagnostic([...steps].map(([step, count]) => `${step} ${count}`).join(', '))
    assert.equal(proved, MISSING)
  })
}
