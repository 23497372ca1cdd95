import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedStores } from '../../../test/support/store.ts'
import type { StorePart } from '../../contract/card.ts'
import type { Question, QuestionJudgement } from '../../contract/question-store.ts'
import { questionKey } from '../../documents/question-key.ts'
import { builtInEmbedder } from '../../embed/builtin.ts'
import { createKeyedQueue } from '../../kit/keyed-queue.ts'
import { quietLog } from '../../kit/log.ts'
import { createRetriever } from '../../retrieve/run.ts'
import { recursiveSplitter } from '../../text/recursive.ts'
import { createUpsertEngine } from '../../upsert/engine.ts'
import { loadCollection } from '../run.ts'
import { askQuestions, questionMeasures } from './ask-questions.ts'
import { proposeQuestions } from './propose.ts'
import { refuseWorse } from './refuse-worse.ts'

const { stores, newNamespace } = sharedStores()
const retriever = createRetriever()

const HERON = 'The grey heron waits patiently at the muddy edge of the harbour water for a silver fish.'
const TEXTS: Record<string, string> = {
  heron: `${'Herons nest in tall trees. '.repeat(6)}${HERON}`,
  baker: 'A small bakery near the market sells fresh bread and warm rolls early every morning. '.repeat(4),
  train: 'The night train towards the northern coast leaves from platform nine after midnight. '.repeat(4),
}

async function loaded(retrieval: Partial<StorePart['retrieval']> = {}, chunkSize = 120): Promise<StorePart> {
  const part: StorePart = {
    ...{ store: stores.open(newNamespace()), embedder: builtInEmbedder(), loaders: [] },
    retrieval: { topK: 4, searchType: 'similarity', ...retrieval },
  }
  await loadCollection(part, {
    splitter: recursiveSplitter({ chunkSize, chunkOverlap: 0 }),
    collection: {
      name: 'small',
      documents: Object.entries(TEXTS).map(([id, text]) => ({ id, title: '', text })),
      queries: [],
    },
    engine: createUpsertEngine({ namespaceQueue: createKeyedQueue(), log: quietLog }),
    signal: new AbortController().signal,
  })
  return part
}

const question = (text: string, ...judgements: QuestionJudgement[]): Question => ({
  ...{
    id: text,
    flowId: 'f',
    text,
    state: 'accepted',
    origin: 'hit',
    judgements,
    createdAt: 1,
    updatedAt: 1,
  },
})
const HERON_QUESTION = question('which bird waits for a fish?', {
  ...{ source: 'heron', passage: { quote: HERON }, grade: 1 },
})

test('questions are asked with the settings of the flow, and a passage is found in every cutting', async () => {
  for (const chunkSize of [60, 120, 1000]) {
    const [result] = await askQuestions({
      ...{ part: await loaded({}, chunkSize), questions: [HERON_QUESTION], retriever },
    })
    assert.equal(result?.place, 1, `chunks of ${chunkSize}`)
    assert.deepEqual([result?.ndcg10, result?.recall10], [1, 1])
  }
  const strict = await loaded({ minScore: 2 })
  const [none] = await askQuestions({ part: strict, questions: [HERON_QUESTION], retriever })
  assert.deepEqual([none?.place, none?.ndcg10], [null, 0], 'the threshold of the flow counts')
})

test('what is gone is told and not counted, as is a question without a right answer', async () => {
  const part = await loaded()
  const results = await askQuestions({
    ...{ part, retriever },
    questions: [
      question('where is bread sold?', { source: 'baker', grade: 1 }, { source: 'lost', grade: 1 }),
      question('what was lost?', { source: 'lost', grade: 1 }),
      question('what did the heron say?', {
        ...{ source: 'heron', grade: 1 },
        passage: { quote: 'A sentence that this document does not have any more, if it ever had it.' },
      }),
      question('who judges?'),
    ],
  })
  assert.deepEqual(
    results.map(({ recall10, uncounted, gone }) => [recall10, uncounted, gone]),
    [
      [1, undefined, ['lost']],
      [null, 'gone', ['lost']],
      [null, 'gone', ['heron']],
      [null, 'unjudged', undefined],
    ],
  )
  assert.partialDeepStrictEqual(questionMeasures(results), { asked: 4, counted: 1, ndcg10: 1, first: 1 })
  assert.partialDeepStrictEqual(questionMeasures([]), { asked: 0, counted: 0, ndcg10: null, p50: null })
})

test('a run that is cancelled throws, and asks no further question', async () => {
  const aborting = new AbortController()
  const part = await loaded()
  const asked: number[] = []
  await assert.rejects(
    askQuestions({
      ...{ part, retriever, signal: aborting.signal },
      questions: [HERON_QUESTION, question('where is bread sold?', { source: 'baker', grade: 1 })],
      onAsked(done) {
        asked.push(done)
        aborting.abort(new Error('enough'))
      },
    }),
    /enough/,
  )
  assert.deepEqual(asked, [1])
})

test('a publish is refused when a question that passes now would fail', async () => {
  const live = await loaded()
  const rows = [HERON_QUESTION, question('what is not there?', { source: 'baker', grade: 1 })]
  const questions = { list: async () => ({ rows, total: rows.length }) }
  const check = { questions, retriever, flow: { id: 'f', slug: 'birds' }, live }
  const draft = (retrieval: Partial<StorePart['retrieval']>) => ({
    ...live,
    retrieval: { ...live.retrieval, ...retrieval },
  })
  assert.equal(await refuseWorse({ ...check, draft: draft({ mode: 'vector' }) }), 2)
  await assert.rejects(refuseWorse({ ...check, draft: draft({ minScore: 2 }) }), {
    code: 'questions_worse',
    status: 409,
    message: /^Nothing was published: \d questions? ?.*of the flow birds/,
  })
  // What fails before, too, is no reason.
  await refuseWorse({ ...check, live: draft({ minScore: 2 }), draft: draft({ minScore: 2 }) })
})

test('proposals are made of sentences, judged by them, and the same each time', async () => {
  const part = await loaded()
  const proposals = await proposeQuestions(part, { limit: 6 })
  assert.ok(proposals.length >= 3, `${proposals.length} proposals`)
  for (const { text, judgement } of proposals) {
    const { quote } = judgement.passage!
    assert.ok(TEXTS[judgement.source]!.includes(quote), quote)
    assert.equal(text.split(' ').length, 5, text)
    const kept = text.split(' ').filter((word) => quote.includes(word))
    assert.ok(kept.length >= 3 && kept.length < 6, `${text} of ${quote}`)
  }
  assert.equal(new Set(proposals.map(({ text }) => questionKey(text))).size, proposals.length)
  assert.deepEqual(await proposeQuestions(part, { limit: 6 }), proposals)
  assert.equal((await proposeQuestions(part, { limit: 1 })).length, 1)
  const results = await askQuestions({
    ...{ part, retriever },
    questions: proposals.map(({ text, judgement }) => question(text, judgement)),
  })
  assert.ok(questionMeasures(results).counted === proposals.length, 'each has its passage in the store')
})
