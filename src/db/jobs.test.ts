import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { temporaryDatabase } from '../../test/support/store.ts'
import type { JobProgress, JobStore, NewJob } from '../contract/job.ts'
import type { JsonObject } from '../kit/json.ts'
import { flowStore } from './flows.ts'
import { historyStore } from './history.ts'
import { jobStore } from './jobs.ts'

const progress: JobProgress = {
  stage: 'embed',
  files: { total: 2, done: 1, failed: 0, known: true },
  chunks: { seen: 9, embedded: 4, written: 3, due: 7 },
}
const description = [{ name: 'textFile' }]

async function withFlow(t: TestContext) {
  const database = temporaryDatabase(t)
  const flows = flowStore(database)
  const rest = { flowData: '{}', config: {}, apiKeyId: null, createdAt: 1, updatedAt: 1, type: 'CHATFLOW' }
  await flows.insert({ id: 'flow-1', slug: 'one', name: 'One', ...rest })
  await flows.insert({ id: 'flow-2', slug: 'two', name: 'Two', ...rest })
  return { store: jobStore(database), flows, history: historyStore(database) }
}

const newJob = (id: string, given: Partial<NewJob> = {}): NewJob => ({
  id,
  flowId: 'flow-1',
  kind: 'upsert',
  lane: 'space',
  request: `sealed ${id}`,
  description,
  now: 1000,
  ...given,
})

const COUNTS: JsonObject = { numAdded: 3, files: [{ name: 'a.txt' }], addedDocs: [] }

const end = (
  store: JobStore,
  id: string,
  state: 'done' | 'failed' | 'cancelled',
  now = 3000,
  result = state === 'done' ? COUNTS : null,
) =>
  store.end({
    id,
    state,
    progress,
    result,
    error: state === 'done' ? null : { code: 'cancelled', message: 'The work was cancelled', facts: {} },
    history: { id: `history of ${id}`, result: { numAdded: 3 } },
    now,
  })

test('jobStore() takes a job from the queue through its run to its end', async (t) => {
  const { store } = await withFlow(t)
  const { job, repeated } = await store.insert(newJob('a', { uploads: { folder: 'folder-a', bytes: 10 } }), 0)
  const queued = {
    id: 'a',
    flowId: 'flow-1',
    kind: 'upsert',
    state: 'queued',
    turn: 1,
    lane: 'space',
    folder: 'folder-a',
    progress: null,
    result: null,
    error: null,
    createdAt: 1000,
    startedAt: null,
    finishedAt: null,
  }
  assert.deepEqual({ job, repeated }, { job: queued, repeated: false })
  assert.deepEqual(await store.find('a'), queued)
  assert.equal(await store.request('a'), 'sealed a')

  const running = { ...queued, state: 'running', turn: 2, startedAt: 2000 }
  assert.deepEqual(await store.begin('a', 2000), running)
  await store.note('a', progress)
  assert.deepEqual(await store.find('a'), { ...running, progress })

  const ended = await end(store, 'a', 'done')
  assert.partialDeepStrictEqual(ended, { state: 'done', turn: 3, finishedAt: 3000, folder: null })
  assert.deepEqual(await store.find('a'), ended)
  assert.equal(await store.request('a'), undefined)
})

test('jobStore() changes nothing for who comes too late', async (t) => {
  const { store } = await withFlow(t)
  await store.insert(newJob('a'), 0)
  assert.equal(await store.requeue('a'), undefined)
  assert.equal(await store.retry('a', newJob('a')), undefined)
  await store.note('a', progress)
  assert.equal((await store.find('a'))?.progress, null)
  await store.begin('a', 2000)
  assert.equal(await store.begin('a', 2001), undefined)
  await end(store, 'a', 'done')
  assert.equal(await end(store, 'a', 'failed'), undefined)
  assert.equal(await store.retry('a', newJob('a')), undefined)
  assert.equal((await store.find('a'))?.state, 'done')
})

test('jobStore() writes the end of a job and its row of the history together, of one that ran', async (t) => {
  const { store, history } = await withFlow(t)
  for (const id of ['ran', 'never-ran']) await store.insert(newJob(id), 0)
  await store.begin('ran', 2000)
  await end(store, 'ran', 'failed')
  await end(store, 'never-ran', 'cancelled')
  assert.deepEqual(await history.list('flow-1'), [
    {
      id: 'history of ran',
      flowId: 'flow-1',
      result: { numAdded: 3 },
      flowData: description,
      date: 3000,
    },
  ])
})

test('retry() puts a failed job back to the queue under its id, with a new request', async (t) => {
  const { store } = await withFlow(t)
  await store.insert(newJob('a'), 0)
  await store.begin('a', 2000)
  await end(store, 'a', 'failed')
  const again = await store.retry('a', { lane: 'other', request: 'sealed anew', description: [] })
  assert.partialDeepStrictEqual(again, {
    state: 'queued',
    lane: 'other',
    error: null,
    progress: null,
    startedAt: null,
    finishedAt: null,
    turn: 4,
  })
  assert.equal(await store.request('a'), 'sealed anew')
})

test('recover() puts back what was running and answers the queue, oldest first', async (t) => {
  const { store } = await withFlow(t)
  for (const id of ['c', 'a', 'b', 'done']) await store.insert(newJob(id), 0)
  await store.begin('b', 2000)
  await store.begin('done', 2000)
  await end(store, 'done', 'done')
  const queue = await store.recover()
  assert.deepEqual(
    queue.map(({ id, state, turn }) => `${id} ${state} ${turn}`),
    ['c queued 1', 'a queued 1', 'b queued 3'],
  )
})

test('insert() answers the earlier job for an equal request, refuses another one, and forgets in time', async (t) => {
  const { store } = await withFlow(t)
  const idempotency = { scope: 's', fingerprint: 'f' }
  await store.insert(newJob('first', { idempotency, now: 1000 }), 0)
  const again = await store.insert(newJob('second', { idempotency, now: 2000 }), 1000)
  assert.deepEqual([again.job.id, again.repeated], ['first', true])
  assert.equal((await store.findRepeated(idempotency, 1000))?.id, 'first')
  assert.equal(await store.find('second'), undefined)

  const other = { scope: 's', fingerprint: 'other' }
  const mismatch = { code: 'idempotency_mismatch', status: 422 }
  await assert.rejects(store.insert(newJob('second', { idempotency: other }), 1000), mismatch)
  await assert.rejects(store.findRepeated(other, 1000), mismatch)

  assert.equal(await store.findRepeated(idempotency, 1001), undefined)
  const late = await store.insert(newJob('third', { idempotency: other, now: 3000 }), 1001)
  assert.deepEqual([late.job.id, late.repeated], ['third', false])
})

test('insert() takes no job of a flow that is gone; who goes takes its jobs along', async (t) => {
  const { store, flows } = await withFlow(t)
  await store.insert(newJob('a'), 0)
  await store.insert(newJob('b', { flowId: 'flow-2' }), 0)
  await flows.remove('flow-1')
  assert.equal(await store.find('a'), undefined)
  assert.equal((await store.find('b'))?.id, 'b')
  await assert.rejects(store.insert(newJob('c'), 0), { code: 'flow_not_found' })
  assert.equal(await end(store, 'a', 'done'), undefined)
})

test('list() gives pages, newest first, by flow and state, with the counts of the results alone', async (t) => {
  const { store } = await withFlow(t)
  for (const id of ['a', 'b', 'c']) await store.insert(newJob(id), 0)
  await store.insert(newJob('d', { flowId: 'flow-2' }), 0)
  await end(store, 'b', 'done')
  const ids = async (page: Parameters<JobStore['list']>[0]) => {
    const { rows, total } = await store.list(page)
    return `${rows.map(({ id }) => id)} of ${total}`
  }
  assert.equal(await ids({ offset: 0, limit: 2 }), 'd,c of 4')
  assert.equal(await ids({ offset: 2, limit: 2 }), 'b,a of 4')
  assert.equal(await ids({ flowId: 'flow-1', state: 'queued', offset: 0, limit: 9 }), 'c,a of 2')
  const { rows } = await store.list({ state: 'done', offset: 0, limit: 9 })
  assert.deepEqual(rows[0]!.result, { numAdded: 3 })
})

/** Lets go of nothing. */
const ALL = {
  requestsSince: 0,
  uploadBytes: 1e9,
  jobsSince: 0,
  jobs: 1e9,
  resultBytes: 1e9,
  historyRows: 1e9,
}

test('prune() keeps the newest jobs, by their number and by the bytes of their results, and the newest history', async (t) => {
  const { store, history } = await withFlow(t)
  for (const [i, id] of ['oldest', 'older', 'newer', 'newest'].entries()) {
    await store.insert(newJob(id, { uploads: { folder: `of ${id}`, bytes: 1 } }), 0)
    await end(store, id, 'failed', 1000 + i, { text: 'x'.repeat(100) })
    await history.add({ id, flowId: 'flow-1', result: {}, flowData: [], date: 1000 + i })
  }
  const left = async () => (await store.list({ offset: 0, limit: 9 })).rows.map(({ id }) => id)
  const ids = async () => (await history.list('flow-1')).map(({ id }) => id)
  assert.deepEqual(await store.prune(ALL), [])
  assert.equal((await left()).length, 4)
  assert.deepEqual(await store.prune({ ...ALL, jobs: 3, historyRows: 2 }), ['of oldest'])
  assert.deepEqual(
    [await left(), await ids()],
    [
      ['newest', 'newer', 'older'],
      ['newest', 'newer'],
    ],
  )
  assert.deepEqual(await store.prune({ ...ALL, resultBytes: 150 }), ['of older'])
  assert.deepEqual(await left(), ['newest', 'newer'])
  assert.deepEqual(await store.prune({ ...ALL, resultBytes: 1 }), ['of newer'], 'the newest one stays')
})

test('prune() lets go of requests that are old or beyond the room for uploads, and of old jobs', async (t) => {
  const { store } = await withFlow(t)
  const failedAt = async (id: string, now: number, bytes: number) => {
    await store.insert(newJob(id, bytes > 0 ? { uploads: { folder: `of ${id}`, bytes } } : {}), 0)
    await end(store, id, 'failed', now)
  }
  await failedAt('ancient', 10, 1)
  await failedAt('old', 100, 1)
  await failedAt('large', 1001, 60)
  await failedAt('words', 1002, 0)
  await failedAt('larger', 1003, 50)
  await store.insert(newJob('queued', { uploads: { folder: 'of queued', bytes: 1000 } }), 0)

  const gone = await store.prune({ ...ALL, requestsSince: 1000, uploadBytes: 100, jobsSince: 50 })
  assert.deepEqual(gone.sort(), ['of ancient', 'of large', 'of old'])
  assert.deepEqual((await store.folders()).sort(), ['of larger', 'of queued'])
  assert.deepEqual(await store.folders('flow-2'), [])
  assert.equal(await store.find('ancient'), undefined)
  assert.equal((await store.find('old'))?.state, 'failed')
  for (const [id, kept] of Object.entries({
    old: false,
    large: false,
    words: true,
    larger: true,
    queued: true,
  }))
    assert.equal((await store.request(id)) !== undefined, kept, id)
})
