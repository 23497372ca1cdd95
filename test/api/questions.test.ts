import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import type {
  EvalAnswer,
  FeedbackCandidates,
  QuestionAnswer,
  QuestionFilesAnswer,
  QuestionPageAnswer,
  QuestionsImported,
  QuestionsStored,
  EvalRunAnswer,
  EvalRunHead,
} from '../../src/api/question.ts'
import { documentFlow, overridable } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { form, makePlatform, MORE_SERVERS } from '../support/platform.ts'
import { until, untilEqual } from '../support/until.ts'

/** The questions of a flow (issue "See why, change it, know that it got better", point 4). */

const [platform, model] = await Promise.all([makePlatform({}, { servers: MORE_SERVERS }), startChatServer()])
after(() => model.close())
const FILES = {
  'ferry.txt': `${'The harbour has two piers. '.repeat(30)}The ferry to Bergen leaves at noon. Dogs are welcome.`,
  'tea.txt': 'Tea is made of leaves. Water for green tea has eighty degrees.',
}

let flows = 0
/** A flow of its own with two documents. */
async function newFlow(more: object = {}): Promise<string> {
  const id = await platform.flow({
    name: `Questions ${++flows}`,
    overridable: ['files'],
    recordManager: { cleanup: 'incremental' },
    ...more,
  })
  assert.equal((await platform.upload(id, FILES)).status, 200)
  return id
}
const manage = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
  const answer = await platform.manage<Body>(method, `/api/v1/${path}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const FERRY = {
  text: 'When does the ferry to Bergen leave?',
  judgements: [{ source: 'ferry.txt', passage: { quote: 'The ferry to Bergen leaves at noon.' }, grade: 1 }],
}
const TEA = { text: 'How hot is water for tea?', judgements: [{ source: 'tea.txt', grade: 1 }] }
const add = (flow: string, ...questions: object[]) =>
  manage<QuestionsStored>('POST', `questions/${flow}`, { questions })
const ask = (flow: string) => manage<EvalAnswer>('POST', `eval/${flow}`, {})
const lastRun = (flow: string) => manage<EvalRunAnswer>('GET', `eval/${flow}/runs/last`)

test('questions are added, judged, changed, found and removed', async () => {
  const flow = await newFlow()
  const { questions, numAdded } = await add(flow, FERRY, {
    ...FERRY,
    text: 'when does THE ferry to Bergen  leave?',
  })
  assert.equal(numAdded, 1)
  const [first] = questions as [QuestionAnswer, QuestionAnswer]
  assert.partialDeepStrictEqual(first, { ...FERRY, state: 'accepted', origin: 'hit' })
  const one = `questions/${flow}/${first.id}`
  const wrong = { source: 'tea.txt', grade: 0 }
  const judged = await manage<QuestionAnswer>('PATCH', one, { judge: [wrong], unjudge: FERRY.judgements })
  assert.deepEqual(judged.judgements, [wrong])
  await add(flow, TEA)
  const list = await manage<QuestionPageAnswer>('GET', `questions/${flow}?search=BERGEN`)
  assert.deepEqual(
    [list.data.map(({ id }) => id), list.total, list.counts],
    [[first.id], 1, { accepted: 2, proposed: 0 }],
  )
  const taken = await platform.manage('PATCH', `/api/v1/${one}`, { text: TEA.text })
  assert.equal(taken.status, 409, taken.text)
  assert.deepEqual(await manage('DELETE', one), { numRemoved: 1 })
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PATCH', {}],
  ] as const) {
    const gone = await platform.manage<{ code: string }>(method, `/api/v1/${one}`, body)
    assert.deepEqual([gone.status, gone.body.code], [404, 'question_not_found'])
  }
})

test('bad questions are refused with the field', async () => {
  const flow = await newFlow()
  for (const [questions, field] of [
    [[{ text: '  ' }], 'questions.0.text'],
    [[{ text: 'x'.repeat(2001) }], 'questions.0.text'],
    [[], 'questions'],
    [[{ text: 'x', judgements: [{ source: '', grade: 1 }] }], 'questions.0.judgements.0.source'],
    [[{ text: 'x', judgements: [{ source: 'a', grade: -1 }] }], 'questions.0.judgements.0.grade'],
    [
      [{ text: 'x', judgements: [{ source: 'a', grade: 1, passage: { quote: ' ' } }] }],
      'questions.0.judgements.0.passage.quote',
    ],
  ] as const) {
    const answer = await platform.manage<{ message: string }>('POST', `/api/v1/questions/${flow}`, {
      questions,
    })
    assert.equal(answer.status, 400, answer.text)
    assert.ok(answer.body.message.includes(field), answer.body.message)
  }
  const none = await platform.manage<{ code: string }>('POST', `/api/v1/eval/${flow}`, {})
  assert.deepEqual([none.status, none.body.code], [409, 'questions_missing'])
  const run = await platform.manage<{ code: string }>('GET', `/api/v1/eval/${flow}/runs/last`)
  assert.deepEqual([run.status, run.body.code], [404, 'question_run_not_found'])
})

test('a flow is asked in its live index as its users meet it, and each result is kept with the revision', async () => {
  const flow = await newFlow()
  await add(
    flow,
    FERRY,
    TEA,
    { text: 'Who judges this?' },
    { text: 'Gone?', judgements: [{ source: 'gone.txt', grade: 1 }] },
  )
  const before = await platform.manage<{ total: number }>('GET', `/api/v1/vector/chunks/${flow}`)
  const first = await ask(flow)
  assert.partialDeepStrictEqual(first, {
    ...{ cause: 'asked', numGone: 1, numUnjudged: 1, numBetter: 0, numWorse: 0, failing: [] },
    measures: { asked: 4, counted: 2, ndcg10: 1, recall10: 1, first: 1 },
  })
  const after = await platform.manage<{ total: number }>('GET', `/api/v1/vector/chunks/${flow}`)
  assert.equal(after.body.total, before.body.total, 'nothing is loaded for it')
  const run = await lastRun(flow)
  assert.equal(run.id, first.run)
  assert.equal(run.before, null)
  assert.partialDeepStrictEqual(
    run.results.find(({ text }) => text === 'Gone?'),
    { place: null, uncounted: 'gone', gone: ['gone.txt'], change: 'uncounted' },
  )
  // The mandatory filter of the flow counts: eval of a collection leaves it out.
  await manage('PATCH', `chatflows/${flow}/settings`, { set: { filter: '{"source":"tea.txt"}' } })
  const second = await ask(flow)
  assert.equal(second.revision, first.revision + 1)
  const ferry = run.results.find(({ text }) => text === FERRY.text)!
  assert.deepEqual([second.numWorse, second.failing], [1, [ferry.question]])
  const worse = await lastRun(flow)
  assert.partialDeepStrictEqual(worse.results[0], { text: FERRY.text, place: null, was: 1, change: 'worse' })
  assert.equal(worse.before?.id, first.run)
  const { data } = await manage<{ data: EvalRunHead[] }>('GET', `eval/${flow}/runs`)
  assert.deepEqual(
    data.map(({ id, revision }) => [id, revision]),
    [
      [second.run, second.revision],
      [first.run, first.revision],
    ],
  )
})

test('a run is a job without the texts of questions; one that is cancelled leaves nothing', async () => {
  const flow = await newFlow()
  await add(flow, ...Array.from({ length: 400 }, (_, at) => ({ ...FERRY, text: `${FERRY.text} ${at}` })))
  const { jobId } = await manageStatus<{ jobId: string }>('POST', `eval/${flow}?async=true`, 202)
  const job = () => manage<JobAnswer>('GET', `jobs/${jobId}`)
  await platform.manage('POST', `/api/v1/jobs/${jobId}/cancel`)
  await until(async () => ['cancelled', 'done'].includes((await job()).state), 'the end of the job')
  const { state, kind } = await job()
  const runs = await manage<{ total: number }>('GET', `eval/${flow}/runs`)
  assert.deepEqual([kind, runs.total], ['eval', state === 'cancelled' ? 0 : 1])
  await ask(flow)
  const { data } = await manage<{ data: JobAnswer[] }>('GET', `jobs?flowId=${flow}&kind=eval`)
  assert.ok(!JSON.stringify(data).includes('Bergen'))
  assert.deepEqual(data[0]?.questions, { total: 400, done: 400 })
})

const manageStatus = async <Body>(method: string, path: string, status: number): Promise<Body> => {
  const answer = await platform.manage<Body>(method, `/api/v1/${path}`, {})
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

test('with the setting watch an upsert is followed by a run', async () => {
  const flow = await newFlow()
  await add(flow, TEA)
  const settings = await manage<{ questions: string }>('GET', `chatflows/${flow}/settings`)
  assert.equal(settings.questions, 'off')
  await platform.upload(flow, { 'more.txt': 'Coffee is made of beans.' })
  await manage('PATCH', `chatflows/${flow}/settings`, { set: { questions: 'watch' } })
  const refused = await platform.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, {
    set: { questions: 'often' },
  })
  assert.equal(refused.status, 400, refused.text)
  await platform.upload(flow, { 'tea.txt': 'Nothing is said of it any more, in no words at all.' })
  const runs = () => manage<{ data: EvalRunHead[] }>('GET', `eval/${flow}/runs`)
  await untilEqual(async () => (await runs()).data.map(({ cause }) => cause), ['upsert'])
  // A dry run asks nothing.
  const dry = await platform.call('POST', `/api/v1/vector/dry-run/${flow}?async=false`, {
    ...{ body: form({ 'a.txt': 'A text.' }), key: 'the-management-key-of-the-tests' },
  })
  assert.equal(dry.status, 200, dry.text)
  assert.equal((await runs()).data.length, 1)
})

test('a flow with questions goes through files and back', async () => {
  const [flow, other] = [await newFlow(), await newFlow()]
  await add(flow, FERRY, TEA)
  const files = await manage<QuestionFilesAnswer>('GET', `questions/${flow}/export`)
  assert.deepEqual(
    files.corpus.split('\n').map((line) => line && (JSON.parse(line) as { text: string }).text),
    ['The ferry to Bergen leaves at noon.', FILES['tea.txt'], ''],
  )
  const imported = await manage<QuestionsImported>('POST', `questions/${other}/import`, files)
  assert.deepEqual(imported, {
    ...{ numAdded: 2, numChanged: 0, numUnjudged: 0, numUnreadable: 0, numDuplicates: 0, missing: [] },
  })
  const { data } = await manage<QuestionPageAnswer>('GET', `questions/${other}`)
  assert.deepEqual(
    data.map(({ text, judgements, origin }) => ({ text, judgements, origin })),
    [FERRY, TEA].map((one) => ({ ...one, origin: 'import' })),
  )
  const missing = await manage<QuestionsImported>('POST', `questions/${other}/import`, {
    queries: '{"_id":"1","text":"What?"}\n',
    qrels: '1\tlost.pdf\t1\n',
  })
  assert.partialDeepStrictEqual(missing, { numAdded: 0, numUnjudged: 1, missing: ['lost.pdf'] })
  const bad = await platform.manage<{ code: string }>('POST', `/api/v1/questions/${flow}/import`, {
    queries: 'x',
    qrels: '',
  })
  assert.deepEqual([bad.status, bad.body.code], [400, 'questions_invalid'])
})

test('proposals wait to be accepted, and are not asked before', async () => {
  const flow = await newFlow()
  await platform.upload(flow, {
    'heron.txt': 'The grey heron waits patiently at the muddy edge of the harbour water for a silver fish.',
  })
  const proposed = await manage<QuestionsStored>('POST', `questions/${flow}/proposals`, { limit: 10 })
  assert.ok(proposed.numAdded > 0)
  assert.ok(proposed.questions.every(({ state, origin }) => state === 'proposed' && origin === 'proposal'))
  const none = await platform.manage('POST', `/api/v1/eval/${flow}`, {})
  assert.equal(none.status, 409, none.text)
  await manage('PATCH', `questions/${flow}/${proposed.questions[0]!.id}`, { state: 'accepted' })
  assert.equal((await ask(flow)).measures.asked, 1)
  const again = await manage<QuestionsStored>('POST', `questions/${flow}/proposals`, { limit: 10 })
  assert.equal(again.numAdded, 0)
  assert.deepEqual(await manage('DELETE', `questions/${flow}?state=proposed`), {
    numRemoved: proposed.questions.length - 1,
  })
})

test('what visitors have rated can be confirmed', async () => {
  model.otherwise = { text: 'At noon.' }
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    ...{ name: 'Rated', flowData: documentFlow(model.url) },
    apiConfig: overridable('files'),
  })
  assert.equal(made.status, 200, made.text)
  const flow = made.body.id
  await platform.upload(flow, FILES)
  const answer = await platform.call<{ chatMessageId: string; chatId: string; sourceDocuments?: object[] }>(
    'POST',
    `/api/v1/prediction/${flow}`,
    { body: { question: FERRY.text } },
  )
  assert.equal(answer.status, 200, answer.text)
  const { chatMessageId: messageId, chatId } = answer.body
  const rated = await platform.call('POST', `/api/v1/feedback/${flow}`, {
    body: { chatId, messageId, rating: 'THUMBS_UP' },
  })
  assert.equal(rated.status, 200, rated.text)
  const { data } = await manage<FeedbackCandidates>('GET', `questions/${flow}/feedback`)
  assert.partialDeepStrictEqual(data, [{ messageId, text: FERRY.text, rating: 'THUMBS_UP' }])
  assert.ok(data[0]!.judgements.every(({ grade, passage }) => grade === 1 && passage))
  await add(flow, { text: FERRY.text, origin: 'feedback', judgements: data[0]!.judgements })
  assert.deepEqual(await manage('GET', `questions/${flow}/feedback`), { data: [] })
})
