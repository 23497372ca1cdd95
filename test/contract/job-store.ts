import assert from 'node:assert/strict'
import type { JobProgress, JobStore, NewJob } from '../../src/contract/job.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { insertFlows, type MakeRepositories, promisesOf, type Repositories } from './repositories.ts'

const progress: JobProgress = {
  stage: 'embed',
  files: { total: 2, done: 1, failed: 0, known: true },
  chunks: { seen: 9, embedded: 4, written: 3, due: 7 },
}
const description = [{ name: 'textFile' }]

const newJob = (id: string, given: Partial<NewJob> = {}): NewJob => ({
  id,
  flowId: 'flow-1',
  kind: 'upsert',
  namespace: 'space',
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

/** Removes nothing. */
const ALL = {
  requestsSince: 0,
  uploadBytes: 1e9,
  jobsSince: 0,
  jobs: 1e9,
  resultBytes: 1e9,
  historyRows: 1e9,
}

/** What every store of jobs promises; run by each implementation. */
export function jobStoreSuite(name: string, make: MakeRepositories): void {
  const promises = (promise: string, check: (repositories: Repositories) => Promise<void>) =>
    promisesOf(`${name}: the JobStore`, make)(promise, async (repositories) => {
      await insertFlows(repositories, 'flow-1', 'flow-2')
      await check(repositories)
    })

  promises('takes a job from the queue through its run to its end', async ({ jobs: store }) => {
    const { job, repeated } = await store.insert(
      newJob('a', { uploads: { folder: 'folder-a', bytes: 10 } }),
      0,
    )
    const queued = {
      id: 'a',
      flowId: 'flow-1',
      kind: 'upsert',
      state: 'queued',
      changes: 1,
      attempt: 1,
      namespace: 'space',
      owner: 'flow:flow-1',
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

    const running = { ...queued, state: 'running', changes: 2, startedAt: 2000 }
    assert.deepEqual(await store.begin('a', 2000), running)
    await store.note('a', progress)
    assert.deepEqual(await store.find('a'), { ...running, progress })

    const ended = await end(store, 'a', 'done')
    assert.partialDeepStrictEqual(ended, { state: 'done', changes: 3, finishedAt: 3000, folder: null })
    assert.deepEqual(await store.find('a'), ended)
    assert.equal(await store.request('a'), undefined)
  })

  promises('keeps the owner of a job through its runs', async ({ jobs: store }) => {
    const { job } = await store.insert(newJob('a', { owner: 'key:k' }), 0)
    assert.equal(job.owner, 'key:k')
    await store.begin('a', 2000)
    assert.equal((await store.requeue('a'))?.owner, 'key:k')
    assert.equal((await store.find('a'))?.owner, 'key:k')
    assert.deepEqual(
      (await store.recover()).map(({ owner }) => owner),
      ['key:k'],
    )
  })

  promises('end() may leave another request for a retry [upsert:password:gone]', async ({ jobs: store }) => {
    const ending = { progress: null, result: null, error: null, request: 'sealed anew', now: 3000 }
    for (const state of ['failed', 'cancelled', 'done'] as const) {
      await store.insert(newJob(state), 0)
      await store.begin(state, 2000)
      await store.end({ ...ending, id: state, state })
    }
    assert.equal(await store.request('failed'), 'sealed anew')
    assert.equal(await store.request('cancelled'), 'sealed anew')
    assert.equal(await store.request('done'), undefined)
  })

  promises('changes nothing where a change of state comes too late', async ({ jobs: store }) => {
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

  promises('changes nothing for a run of a job that is not its last', async ({ jobs: store, history }) => {
    await store.insert(newJob('a'), 0)
    const first = (await store.begin('a', 2000))!
    await store.requeue('a', first.changes)
    const second = (await store.begin('a', 3000))!
    await store.note('a', progress, first.changes)
    assert.equal(await store.requeue('a', first.changes), undefined)
    const ending = { id: 'a', state: 'done', progress: null, result: COUNTS, error: null, now: 4000 } as const
    const late = { ...ending, changes: first.changes, history: { id: 'late', result: {} } }
    assert.equal(await store.end(late), undefined)
    assert.deepEqual(await store.find('a'), second)
    await store.note('a', progress, second.changes)
    assert.deepEqual((await store.find('a'))?.progress, progress)
    assert.equal((await store.end({ ...ending, changes: second.changes }))?.state, 'done')
    assert.deepEqual(await history.list('flow-1'), [])
  })

  promises(
    'writes the end of a job that ran and its row of the history together',
    async ({ jobs: store, history }) => {
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
          jobId: 'ran',
        },
      ])
    },
  )

  promises(
    'retry() puts a failed job back to the queue under its id, with a new request',
    async ({ jobs: store }) => {
      await store.insert(newJob('a'), 0)
      await store.begin('a', 2000)
      await end(store, 'a', 'failed')
      const again = await store.retry('a', { namespace: 'other', request: 'sealed again', description: [] })
      assert.partialDeepStrictEqual(again, {
        state: 'queued',
        namespace: 'other',
        error: null,
        progress: null,
        startedAt: null,
        finishedAt: null,
        changes: 4,
        attempt: 2,
      })
      assert.equal(await store.request('a'), 'sealed again')
    },
  )

  promises(
    'recover() puts back what was running and answers the queue, oldest first',
    async ({ jobs: store }) => {
      for (const id of ['c', 'a', 'b', 'done']) await store.insert(newJob(id), 0)
      await store.begin('b', 2000)
      await store.begin('done', 2000)
      await end(store, 'done', 'done')
      const queue = await store.recover()
      assert.deepEqual(
        queue.map(({ id, state, changes }) => `${id} ${state} ${changes}`),
        ['c queued 1', 'a queued 1', 'b queued 3'],
      )
    },
  )

  promises(
    'insert() answers the earlier job for an equal request, refuses another one, and forgets in time',
    async ({ jobs: store }) => {
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
    },
  )

  promises(
    'insert() takes no job of a missing flow; removing a flow removes its jobs',
    async ({ jobs: store, flows }) => {
      await store.insert(newJob('a'), 0)
      await store.insert(newJob('b', { flowId: 'flow-2' }), 0)
      await flows.remove('flow-1')
      assert.equal(await store.find('a'), undefined)
      assert.equal((await store.find('b'))?.id, 'b')
      await assert.rejects(store.insert(newJob('c'), 0), { code: 'flow_not_found' })
      assert.equal(await end(store, 'a', 'done'), undefined)
    },
  )

  promises(
    'list() gives pages, newest first, by flow and state, with the counts of the results alone',
    async ({ jobs: store }) => {
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
    },
  )

  promises(
    'sweep() keeps the newest jobs, by their number and by the bytes of their results, and the newest history',
    async ({ jobs: store, history }) => {
      for (const [i, id] of ['oldest', 'older', 'newer', 'newest'].entries()) {
        await store.insert(newJob(id, { uploads: { folder: `of ${id}`, bytes: 1 } }), 0)
        await end(store, id, 'failed', 1000 + i, { text: 'x'.repeat(100) })
        const row = { flowId: 'flow-1', result: {}, flowData: [], date: 1000 + i, jobId: id }
        await history.add({ id, ...row })
      }
      const left = async () => (await store.list({ offset: 0, limit: 9 })).rows.map(({ id }) => id)
      const ids = async () => (await history.list('flow-1')).map(({ id }) => id)
      assert.deepEqual(await store.sweep(ALL), [])
      assert.equal((await left()).length, 4)
      assert.deepEqual(await store.sweep({ ...ALL, jobs: 3, historyRows: 2 }), ['of oldest'])
      assert.deepEqual(
        [await left(), await ids()],
        [
          ['newest', 'newer', 'older'],
          ['newest', 'newer'],
        ],
      )
      assert.deepEqual(await store.sweep({ ...ALL, resultBytes: 150 }), ['of older'])
      assert.deepEqual(await left(), ['newest', 'newer'])
      assert.deepEqual(await store.sweep({ ...ALL, resultBytes: 1 }), ['of newer'], 'the newest one stays')
    },
  )

  promises(
    'sweep() removes requests that are old or beyond the limit of upload bytes, and old jobs',
    async ({ jobs: store }) => {
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

      const gone = await store.sweep({ ...ALL, requestsSince: 1000, uploadBytes: 100, jobsSince: 50 })
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
    },
  )

  promises(
    'requeue() puts a running job back to the queue, and note() keeps its last progress',
    async ({ jobs: store }) => {
      await store.insert(newJob('a'), 0)
      await store.begin('a', 2000)
      await store.note('a', progress)
      const again = await store.requeue('a')
      assert.partialDeepStrictEqual(again, { state: 'queued', startedAt: null, changes: 3, attempt: 2 })
      assert.equal(await store.request('a'), 'sealed a')
      assert.equal((await store.begin('a', 5000))?.startedAt, 5000)
    },
  )

  promises(
    'endLater() ends a job as end() does, where there is room on the disk',
    async ({ jobs: store, history }) => {
      await store.insert(newJob('a'), 0)
      await store.begin('a', 2000)
      const ending = { id: 'a', state: 'cancelled', progress, result: null, error: null, now: 3000 } as const
      await store.endLater({ ...ending, history: { id: 'history of a', result: {} } })
      assert.equal((await store.find('a'))?.state, 'cancelled')
      assert.equal((await history.list('flow-1')).length, 1)
    },
  )

  promises('retry() refuses a job after its uploads were removed', async ({ jobs: store }) => {
    await store.insert(newJob('a', { uploads: { folder: 'folder-a', bytes: 1 } }), 0)
    const ending = { id: 'a', state: 'failed', progress, result: null, error: null, now: 3000 } as const
    const ended = await store.end({ ...ending, uploadsRemoved: true })
    assert.deepEqual([ended?.state, ended?.folder], ['failed', null])
    assert.equal(await store.request('a'), undefined)
    assert.equal(await store.retry('a', newJob('a')), undefined)
    assert.deepEqual(await store.folders(), [])
  })

  promises('answers undefined for an unknown job', async ({ jobs: store }) => {
    assert.equal(await store.find('none'), undefined)
    assert.equal(await store.request('none'), undefined)
    assert.equal(await store.receipt('none'), undefined)
    assert.equal(await store.begin('none', 1), undefined)
    assert.equal(await end(store, 'none', 'done'), undefined)
    assert.equal(await store.requeue('none'), undefined)
    assert.deepEqual(await store.recover(), [])
  })

  promises(
    'pages the files of a job in their order, by state and by a part of the name',
    async ({ jobs }) => {
      await jobs.insert(newJob('a'), 0)
      await jobs.begin('a', 2000)
      const file = (name: string, state: string) => ({ name, state })
      const files = [file('Two.txt', 'indexed'), file('one.txt', 'failed'), file('three.pdf', 'indexed')]
      await end(jobs, 'a', 'done', 3000, { numAdded: 3, files, addedDocs: [] })
      const read = async (page: Partial<Parameters<JobStore['files']>[1]>) => {
        const { rows, total } = await jobs.files('a', { offset: 0, limit: 9, ...page })
        return [...rows.map(({ name }) => name), total]
      }
      assert.deepEqual(await read({}), ['Two.txt', 'one.txt', 'three.pdf', 3])
      assert.deepEqual(await read({ offset: 1, limit: 1 }), ['one.txt', 3])
      assert.deepEqual(await read({ state: 'indexed' }), ['Two.txt', 'three.pdf', 2])
      assert.deepEqual(await read({ search: 'TXT' }), ['Two.txt', 'one.txt', 2])
      assert.deepEqual(await read({ state: 'failed', search: 'three' }), [0])
      assert.deepEqual(await jobs.files('none', { offset: 0, limit: 9 }), { rows: [], total: 0 })
    },
  )

  promises('gives the jobs that have ended since a time, the latest end last', async ({ jobs }) => {
    for (const [id, now] of [
      ['a', 3000],
      ['b', 5000],
      ['c', 4000],
    ] as const) {
      await jobs.insert(newJob(id), 0)
      await jobs.begin(id, 2000)
      await end(jobs, id, 'done', now)
    }
    await jobs.insert(newJob('d'), 0)
    const ids = async (since: number, limit = 9) =>
      (await jobs.endedSince(since, limit)).map(({ id }) => id).join('')
    assert.deepEqual(
      [await ids(0), await ids(4000), await ids(0, 2), await ids(5001)],
      ['acb', 'cb', 'cb', ''],
    )
    const [first] = await jobs.endedSince(0, 1)
    assert.deepEqual(first?.result, { numAdded: 3 })
  })
}
