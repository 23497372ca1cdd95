import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedStores } from '../../test/support/store.ts'
import type { StorePart } from '../contract/card.ts'
import { builtInEmbedder } from '../embed/builtin.ts'
import { quietLog } from '../kit/log.ts'
import { createKeyedQueue } from '../kit/keyed-queue.ts'
import { createRetriever, type Retriever } from '../retrieve/run.ts'
import { recursiveSplitter } from '../text/recursive.ts'
import { createUpsertEngine } from '../upsert/engine.ts'
import { parseFilter } from '../vector/filter.ts'
import type { Collection } from './collection.ts'
import { evaluate, type EvaluationProgress } from './run.ts'
import { evenly } from './timing.ts'

const { stores, newNamespace } = sharedStores()

const TEXTS: Record<string, string> = {
  heron: 'The heron waits at the edge of the water for a fish. '.repeat(4),
  baker: 'A bakery sells bread and rolls early in the morning. '.repeat(4),
  train: 'The night train to the coast leaves from platform nine. '.repeat(4),
}
const collection: Collection = {
  name: 'small',
  documents: Object.entries(TEXTS).map(([id, text]) => ({ id, title: '', text })),
  queries: [
    { id: '1', text: 'which bird waits for a fish?', judged: new Map([['heron', 1]]) },
    { id: '2', text: 'where is bread sold?', judged: new Map([['baker', 1]]) },
  ],
}

const measure = (retrieval: Partial<StorePart['retrieval']>, more: object = {}) =>
  evaluate({
    part: {
      store: stores.open(newNamespace()),
      embedder: builtInEmbedder(),
      loaders: [],
      recordManager: { cleanup: 'full', sourceIdKey: 'nowhere' },
      retrieval: { topK: 2, searchType: 'similarity', ...retrieval },
    },
    splitter: recursiveSplitter({ chunkSize: 120, chunkOverlap: 0 }),
    collection,
    engine: createUpsertEngine({ namespaceQueue: createKeyedQueue(), log: quietLog }),
    retriever: createRetriever(),
    signal: new AbortController().signal,
    ...more,
  })

test('evaluate() loads, asks and judges documents, however many chunks they have', async () => {
  const result = await measure({ weight: 0.3 })
  assert.deepEqual([result.collection, result.documents, result.queries], ['small', 3, 2])
  assert.ok(result.chunks > 3)
  for (const mode of ['vector', 'keyword', 'hybrid'] as const) {
    const { ndcg10, recall10, recall100, mrr10, p50Ms, p99Ms } = result[mode]
    assert.deepEqual([ndcg10, recall10, recall100, mrr10], [1, 1, 1, 1], mode)
    assert.ok(p50Ms > 0 && p99Ms >= p50Ms)
  }
})

test('evaluate() gives the best weight, of several that are as good the one closest to the flow’s', async () => {
  const { weight, bestWeight, weights } = await measure({ weight: 0.3 })
  assert.deepEqual([weight, bestWeight], [0.3, 0.3])
  assert.deepEqual([weights.length, weights[0]!.weight, weights.at(-1)!.weight], [21, 0, 1])
})

test('evaluate() measures hybrid search with and without rescoring, unless the flow does not rescore [query:rescore]', async () => {
  const { hybrid, withoutRescoring } = await measure({})
  assert.deepEqual([hybrid.ndcg10, withoutRescoring!.ndcg10], [1, 1])
  assert.ok(!('withoutRescoring' in (await measure({ rescore: false }))))
})

test('evaluate() searches the earlier questions of a conversation, too [query:eval-history]', async () => {
  const asked: (readonly string[] | undefined)[] = []
  const retriever: Retriever = {
    retrieve(part, queries, overrides, ...more) {
      asked.push(overrides?.history)
      return createRetriever().retrieve(part, queries, overrides, ...more)
    },
  }
  const history = ['which bird waits for a fish?']
  const judged = new Map([['heron', 1]])
  const found = async (more: object) =>
    measure(
      {},
      {
        retriever,
        collection: { ...collection, queries: [{ id: '1', text: 'and when?', judged, ...more }] },
      },
    )
  const alone = await found({})
  assert.ok(asked.every((one) => one === undefined))
  asked.length = 0
  const after = await found({ history })
  for (const mode of ['vector', 'keyword', 'hybrid'] as const) {
    assert.ok(alone[mode].mrr10 < 1, `alone, ${mode}`)
    assert.equal(after[mode].mrr10, 1, `after, ${mode}`)
    // As in an answer, no hit has a confidence then.
    assert.equal(after[mode].reliability?.known ?? 0, 0, mode)
  }
  assert.ok(asked.length > 0 && asked.every((one) => one === history))
})

test('evaluate() ignores the settings of the flow for its own documents', async () => {
  const { hybrid } = await measure({ filter: parseFilter({ team: 'ops' }), minScore: 0.99, mode: 'keyword' })
  assert.equal(hybrid.ndcg10, 1)
})

test('evaluate() reports its progress', async () => {
  const reported: EvaluationProgress[] = []
  await measure({}, { onProgress: (progress: EvaluationProgress) => reported.push(progress) })
  assert.deepEqual([...new Set(reported.map(({ stage }) => stage))], ['load', 'ask', 'time'])
  assert.ok(reported.every(({ done, total }) => done <= total))
})

test('evaluate() stops when its signal aborts', async () => {
  await assert.rejects(measure({}, { signal: AbortSignal.abort() }))
})

test('evenly() takes from all over a list, and all of a short one', () => {
  assert.deepEqual(evenly([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4), [0, 2, 5, 7])
  assert.deepEqual(evenly([1, 2], 4), [1, 2])
  assert.deepEqual(evenly([1, 2], Infinity), [1, 2])
})
