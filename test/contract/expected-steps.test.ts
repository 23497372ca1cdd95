import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { RetrievalOverrides } from '../../src/retrieve/settings.ts'
import { byMeaning, loadTexts, ordered, partOf, QUESTION, retrieve } from '../support/expected-chunks.ts'
import { askExpecting, assertProven } from '../support/proven-step.ts'

before(loadTexts)

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
    // Others for each combination: together they are from all parts of the order.
    const far = at % 2 === 0 ? [9, 150] : [31, 319]
    for (const id of [...far.map((place) => ids[(place + at) % ids.length]!), before[(at * 5) % 12]!]) {
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
